import { suggestion } from "@earmark/core/text"
import { forgetProfile, profilesPath, readProfiles, useProfile } from "@earmark/runtime/user"
import { Effect } from "effect"
import { usage } from "../../CommandFailed.js"
import type { Given } from "../../grammar/Grammar.js"
import type { config } from "../../grammar/remote.js"
import { print } from "../../output.js"
import { explainProfiles } from "../../remote/target.js"
import { tableOf } from "../../table.js"
import { sayDone, show } from "../administration/administer.js"

/** Enough of a key to know it by, and too little to use it. */
const shownKey = (key: string) => `${key.slice(0, 8)}...${key.slice(-4)}`

const saved = Effect.mapError(readProfiles, explainProfiles)

export const list = (options: Given<typeof config.commands.list>) =>
  Effect.gen(function* () {
    const { current, profiles } = yield* saved
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
  const { profiles } = yield* saved
  const found = profiles[name]
  if (found !== undefined) return found
  const names = Object.keys(profiles)
  return yield* usage(
    names.length === 0
      ? "No profiles yet. Create one with earmark login URL."
      : `There is no profile "${name}"; there are ${names.join(", ")}.${suggestion(name, names)}`,
  )
})

export const use = (options: Given<typeof config.commands.use>) =>
  Effect.gen(function* () {
    const called = options.name ?? null
    const url = called === null ? null : (yield* known(called)).url
    yield* Effect.mapError(useProfile(called), explainProfiles)
    yield* sayDone(
      { in_use: called, url },
      options.json,
      called === null
        ? "No profile is in use: commands are done on this machine."
        : `Commands go to ${url} now.`,
    )
  })

export const forget = (options: Given<typeof config.commands.forget>) =>
  Effect.gen(function* () {
    yield* known(options.name)
    yield* Effect.mapError(forgetProfile(options.name), explainProfiles)
    yield* sayDone(
      { profile: options.name, forgotten: true },
      options.json,
      `${options.name} is forgotten. If its key is not revoked, it still opens the account: earmark keys revoke ends it.`,
    )
  })

export const path = () => Effect.flatMap(profilesPath, (place) => print(`${place}\n`))
