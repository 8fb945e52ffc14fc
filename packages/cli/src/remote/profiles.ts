/** The services that this user has signed in to: their addresses and keys, in one file that only its owner reads. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { Config, Effect, Schema } from "effect"
import { type CommandFailed, failed } from "../CommandFailed.js"

const Profile = Schema.Struct({ url: Schema.String, key: Schema.String })

const Profiles = Schema.Struct({
  /** The one that is meant when none is named. */
  current: Schema.NullOr(Schema.String),
  profiles: Schema.Record({ key: Schema.String, value: Profile }),
})

export type Profiles = typeof Profiles.Type

const NONE: Profiles = { current: null, profiles: {} }

/** Where they are kept. By the rules for such folders a relative path does not count. */
export const profilesPath: Effect.Effect<string> = Config.string("XDG_CONFIG_HOME").pipe(
  Effect.orElseSucceed(() => ""),
  Effect.map((given) =>
    join(isAbsolute(given) ? given : join(homedir(), ".config"), "earmark", "config.json"),
  ),
)

const isMissing = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

const decode = Schema.decodeUnknown(Schema.parseJson(Profiles))

export const readProfiles: Effect.Effect<Profiles, CommandFailed> = Effect.gen(function* () {
  const path = yield* profilesPath
  const text = yield* Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: (cause) =>
      isMissing(cause) ? null : failed(`Could not read ${path}: ${messageOf(cause)}. Mend it or remove it.`),
  }).pipe(
    Effect.catchIf(
      (error) => error === null,
      () => Effect.succeed(null),
    ),
  )
  if (text === null) return NONE
  return yield* decode(text).pipe(
    Effect.mapError(() =>
      failed(`${path} is not as this command writes it. Mend it or remove it, and sign in again.`),
    ),
  )
})

const OWNER_ONLY = 0o600
const OWNER_FOLDER = 0o700

/** Takes the place of what is there when it is whole. */
const writeOver = (path: string, profiles: Profiles) => {
  const draft = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_FOLDER })
  try {
    writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY })
    chmodSync(draft, OWNER_ONLY)
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

export const writeProfiles = (profiles: Profiles): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(profilesPath, (path) =>
    Effect.try({
      try: () => writeOver(path, profiles),
      catch: (cause) => failed(`Could not write ${path}: ${messageOf(cause)}.`),
    }),
  )
