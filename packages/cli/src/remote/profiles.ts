/** The services that this user has signed in to: their addresses and keys, in one file that only its owner reads. */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { closeFile, makePrivateFolder, NotPrivate } from "@earmark/runtime/privateFolder"
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

/** The folder and the file, closed to everybody else: others may have written either. */
const keepPrivate = (path: string): void => {
  makePrivateFolder(dirname(path))
  if (existsSync(path)) closeFile(path)
}

const notPrivate = (path: string, cause: NotPrivate) =>
  failed(
    `${path} is not used, since it holds keys: ${cause.message}. Give it to one user, in a folder of that user.`,
  )

const decode = Schema.decodeUnknown(Schema.parseJson(Profiles))

export const readProfiles: Effect.Effect<Profiles, CommandFailed> = Effect.gen(function* () {
  const path = yield* profilesPath
  const text = yield* Effect.try({
    try: () => {
      if (existsSync(path)) keepPrivate(path)
      return readFileSync(path, "utf8")
    },
    catch: (cause) => {
      if (cause instanceof NotPrivate) return notPrivate(path, cause)
      return isMissing(cause)
        ? null
        : failed(`Could not read ${path}: ${messageOf(cause)}. Mend it or remove it.`)
    },
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

/** Takes the place of what is there when it is whole. */
const writeOver = (path: string, profiles: Profiles) => {
  const draft = `${path}.${randomBytes(6).toString("hex")}`
  keepPrivate(path)
  try {
    writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: "wx" })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

export const writeProfiles = (profiles: Profiles): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(profilesPath, (path) =>
    Effect.try({
      try: () => writeOver(path, profiles),
      catch: (cause) =>
        cause instanceof NotPrivate
          ? notPrivate(path, cause)
          : failed(`Could not write ${path}: ${messageOf(cause)}.`),
    }),
  )
