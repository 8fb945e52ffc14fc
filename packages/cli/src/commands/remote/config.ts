import { Args, Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { usage } from "../../CommandFailed.js"
import { didYouMean } from "../../didYouMean.js"
import type { Page } from "../../help.js"
import { print } from "../../output.js"
import { profilesPath, readProfiles, writeProfiles } from "../../remote/profiles.js"
import { tableOf } from "../../table.js"
import { json, jsonAnswer, sayDone, show } from "../administration/administer.js"

const name = Args.text({ name: "profile" }).pipe(Args.withDescription("What the profile is called."))

/** Enough of a key to know it by, and too little to use it. */
const shownKey = (key: string) => `${key.slice(0, 8)}...${key.slice(-4)}`

const list = Command.make("list", { json }, (options) =>
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
        data.length === 0
          ? ""
          : tableOf(
              [
                { head: "profile", cell: (row) => row.name },
                { head: "url", cell: (row) => row.url },
                { head: "key", cell: (row) => row.key },
                { head: "in use", cell: (row) => (row.in_use ? "yes" : "") },
              ],
              data,
            ),
      ({ data }) => (data.length === 0 ? "There is no profile. earmark login URL makes one." : null),
    )
  }),
).pipe(Command.withDescription("List the services that are kept."))

const known = Effect.fnUntraced(function* (name: string) {
  const kept = yield* readProfiles
  if (kept.profiles[name] !== undefined) return kept
  const names = Object.keys(kept.profiles)
  return yield* usage(
    names.length === 0
      ? "There is no profile. earmark login URL makes one."
      : `There is no profile "${name}"; there are ${names.join(", ")}.${yield* didYouMean(name, names)}`,
  )
})

const optional = name.pipe(Args.optional)

const use = Command.make("use", { name: optional, json: jsonAnswer }, (options) =>
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
  }),
).pipe(Command.withDescription("Use this profile from now on; none when its name is left out."))

const forget = Command.make("forget", { name, json: jsonAnswer }, (options) =>
  Effect.gen(function* () {
    const { current, profiles } = yield* known(options.name)
    const { [options.name]: _, ...others } = profiles
    yield* writeProfiles({ current: current === options.name ? null : current, profiles: others })
    yield* sayDone(
      { profile: options.name, forgotten: true },
      options.json,
      `${options.name} is forgotten. Its key is still good: earmark keys revoke ends it.`,
    )
  }),
).pipe(Command.withDescription("Forget a service and its key."))

const path = Command.make("path", {}, () =>
  Effect.flatMap(profilesPath, (place) => print(`${place}\n`)),
).pipe(Command.withDescription("Print where the profiles are kept."))

export const config = Command.make("config").pipe(
  Command.withDescription("Look after the services that earmark login keeps."),
  Command.withSubcommands([list, use, forget, path]),
)

export const configPage: Page = {
  name: "config",
  descriptor: config.descriptor,
  examples: ["earmark config list", "earmark config use transcripts.example"],
  children: [
    { name: "list", descriptor: list.descriptor, examples: ["earmark config list"], children: [] },
    {
      name: "use",
      descriptor: use.descriptor,
      examples: ["earmark config use transcripts.example", "earmark config use"],
      children: [],
    },
    {
      name: "forget",
      descriptor: forget.descriptor,
      examples: ["earmark config forget transcripts.example"],
      children: [],
    },
    { name: "path", descriptor: path.descriptor, examples: ["earmark config path"], children: [] },
  ],
}
