/** The servers that this user has signed in to: their addresses and keys, in one file that only its owner reads. */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Data, Effect, Schema } from "effect"
import { closeFile, makePrivateFolder, NotPrivate } from "../privateFolder.js"
import { userFolder } from "./userFolder.js"

const Profile = Schema.Struct({ url: Schema.String, key: Schema.String })

const Profiles = Schema.Struct({
  /** The one that is meant when none is named. */
  current: Schema.NullOr(Schema.String),
  profiles: Schema.Record({ key: Schema.String, value: Profile }),
})

export type Profiles = typeof Profiles.Type

const NONE: Profiles = { current: null, profiles: {} }

/** The file of the profiles cannot be used. */
export class ProfilesRefused extends Data.TaggedError("ProfilesRefused")<{
  readonly reason: "not_private" | "unreadable" | "malformed" | "unwritable"
  readonly path: string
  /** What is in the way; empty for a malformed file. */
  readonly detail: string
}> {}

/** Where profiles and defaults of this user are kept. */
export const configFolder = userFolder("XDG_CONFIG_HOME", ".config")

export const profilesPath: Effect.Effect<string> = Effect.map(configFolder, (folder) =>
  join(folder, "config.json"),
)

export const isMissing = (cause: unknown) =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const refused = (path: string, reason: ProfilesRefused["reason"]) => (cause: unknown) =>
  new ProfilesRefused({
    reason: cause instanceof NotPrivate ? "not_private" : reason,
    path,
    detail: cause instanceof Error ? cause.message : String(cause),
  })

/** The folder and the file, closed to everybody else: others may have written either. */
const keepPrivate = (path: string): void => {
  makePrivateFolder(dirname(path))
  if (existsSync(path)) closeFile(path)
}

const textIn = (path: string): string | null => {
  try {
    if (existsSync(path)) keepPrivate(path)
    return readFileSync(path, "utf8")
  } catch (cause) {
    if (isMissing(cause)) return null
    throw cause
  }
}

const decode = Schema.decodeUnknown(Schema.parseJson(Profiles))

export const readProfiles: Effect.Effect<Profiles, ProfilesRefused> = Effect.gen(function* () {
  const path = yield* profilesPath
  const text = yield* Effect.try({ try: () => textIn(path), catch: refused(path, "unreadable") })
  if (text === null) return NONE
  return yield* Effect.mapError(
    decode(text),
    () => new ProfilesRefused({ reason: "malformed", path, detail: "" }),
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

const change = (to: (before: Profiles) => Profiles): Effect.Effect<void, ProfilesRefused> =>
  Effect.gen(function* () {
    const path = yield* profilesPath
    const after = to(yield* readProfiles)
    yield* Effect.try({ try: () => writeOver(path, after), catch: refused(path, "unwritable") })
  })

/** Saves a server under a name, and uses it from now on. */
export const saveProfile = (name: string, profile: typeof Profile.Type) =>
  change(({ profiles }) => ({ current: name, profiles: { ...profiles, [name]: profile } }))

/** Uses a profile from now on; null: none. */
export const useProfile = (name: string | null) => change((before) => ({ ...before, current: name }))

/** Forgets a server and its key. */
export const forgetProfile = (name: string) =>
  change(({ current, profiles: { [name]: _, ...others } }) => ({
    current: current === name ? null : current,
    profiles: others,
  }))
