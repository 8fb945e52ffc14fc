import { Effect, Option } from "effect"
import { usage } from "../../CommandFailed.js"
import { didYouMean } from "../../didYouMean.js"
import type { Given } from "../../grammar/Grammar.js"
import type { config } from "../../grammar/remote.js"
import { print } from "../../output.js"
import { profilesPath, readProfiles, writeProfiles } from "../../remote/profiles.js"
import { tableOf } from "../../table.js"
import { sayDone, show } from "../administration/administer.js"

/** Enough of a key to know it by, and too little to use it. */
const shownKey = (key: string) => `${key.slice(0, 8)}...${key.slice(-4)}`

export const list = (options: Given<typeof config.commands.list>) =>
  Effect.gen(function* () {
    const { current, profiles } = yield* readProfiles
    const rows = Object.entries(profiles).map(([name, { url, key }]) => ({
      name,
      url,
      key: shownKey(key),
      in_use: name === current,
    }))
    yield* show(
      { data: rows },
      options.json,
      ({ data }) =>
        tableOf(
          [
            { head: "profile", cell: (row) => row.name },
            { head: "url", cell: (row) => row.url },
            { head: "key", cell: (row) => row.key },
            { head: "in use", cell: (row) => (row.in_use ? "yes" : "") },
          ],
          data,
        ),
      ({ data }) => (data.length === 0 ? "No profiles yet. Create one with earmark login URL." : null),
    )
  })

const known = Effect.fnUntraced(function* (name: string) {
  const kept = yield* readProfiles
  if (kept.profiles[name] !== undefined) return kept
  const names = Object.keys(kept.profiles)
  return yield* usage(
    names.length === 0
      ? "No profiles yet. Create one with earmark login URL."
      : `There is no profile "${name}"; there are ${names.join(", ")}.${yield* didYouMean(name, names)}`,
  )
})

export const use = (options: Given<typeof config.commands.use>) =>
  Effect.gen(function* () {
    if (Option.isNone(options.name)) {
      const kept = yield* readProfiles
      yield* writeProfiles({ ...kept, current: null })
      const none = "No profile is in use: commands are done on this machine."
      return yield* sayDone({ in_use: null, url: null }, options.json, none)
    }
    const called = options.name.value
    const kept = yield* known(called)
    yield* writeProfiles({ ...kept, current: called })
    const url = kept.profiles[called]?.url
    return yield* sayDone({ in_use: called, url }, options.json, `Commands go to ${url} now.`)
  })

export const forget = (options: Given<typeof config.commands.forget>) =>
  Effect.gen(function* () {
    const { current, profiles } = yield* known(options.name)
    const { [options.name]: _, ...others } = profiles
    yield* writeProfiles({ current: current === options.name ? null : current, profiles: others })
    yield* sayDone(
      { profile: options.name, forgotten: true },
      options.json,
      `${options.name} is forgotten. If its key is not revoked, it still opens the account: earmark keys revoke ends it.`,
    )
  })

export const path = () => Effect.flatMap(profilesPath, (place) => print(`${place}\n`))
