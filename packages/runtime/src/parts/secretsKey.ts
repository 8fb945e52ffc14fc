import { randomBytes, timingSafeEqual } from "node:crypto"
import { existsSync } from "node:fs"
import { link, open, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { deriveKeys, parseSecretsKey } from "@earmark/core/signing"
import { claimStore, Secrets } from "@earmark/service"
import { Data, Effect, Layer, Option, Redacted } from "effect"
import type { Settings } from "../settings/Settings.js"
import { hasDatabase } from "./database.js"
import { DataFolderUnfit, fileTrouble, openDataFolder } from "./dataFolder.js"

/** The secrets key is not the one that the store needs, or there is none. */
export class SecretsKeyRefused extends Data.TaggedError("SecretsKeyRefused")<{
  readonly reason: "required" | "differs" | "lost" | "damaged" | "anothers"
  /** Where the key is; empty where it is not in a file. */
  readonly file: string
}> {
  override get message() {
    const { file } = this
    return {
      required:
        "EARMARK_SECRETS_KEY must be set with EARMARK_DATABASE_URL, the same in every process: make one with openssl rand -base64 32.",
      differs: `EARMARK_SECRETS_KEY is not the key in ${file}. Unset it to use that one, or move the file away.`,
      lost: `The store was made with a secrets key that is not in ${file}. Set EARMARK_SECRETS_KEY to it, or put the file back. If it is lost for good, put a new one there and run earmark migrate --new-secrets-key.`,
      damaged: `${file} does not hold 32 bytes in base64. Put the right file back.`,
      anothers: `${file === "" ? "EARMARK_SECRETS_KEY" : `The key in ${file}`} is not the secrets key of the store. Put that one back, or take this one for good with earmark migrate --new-secrets-key; API keys and webhook secrets made with another end then.`,
    }[this.reason]
  }
}

const KEY_BYTES = 32

const readKey = async (file: string): Promise<string | undefined> =>
  existsSync(file) ? await readFile(file, "utf8") : undefined

/** The file appears whole or not at all, and the first of two processes makes it. */
const makeKey = async (file: string): Promise<void> => {
  const draft = `${file}.${randomBytes(8).toString("hex")}`
  const opened = await open(draft, "wx", 0o600)
  try {
    await opened.writeFile(`${randomBytes(KEY_BYTES).toString("base64")}\n`)
    await opened.sync()
  } finally {
    await opened.close()
  }
  try {
    await link(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    await rm(draft)
  }
}

const secretsFile = (folder: string): string => join(folder, "secrets-key")

const fromFile = (folder: string, given: Redacted.Redacted<Uint8Array> | null) =>
  Effect.gen(function* () {
    const file = secretsFile(folder)
    const fail = (reason: SecretsKeyRefused["reason"]) => new SecretsKeyRefused({ reason, file })
    const attempt = <A>(work: () => Promise<A>) =>
      Effect.tryPromise({
        try: work,
        catch: (error) => new DataFolderUnfit({ folder, trouble: fileTrouble(error) }),
      })
    const found = yield* attempt(() => readKey(file))
    if (found === undefined) {
      if (given !== null) return given
      if (hasDatabase(folder)) return yield* fail("lost")
      yield* attempt(() => makeKey(file))
    }
    const text = found ?? (yield* attempt(() => readFile(file, "utf8")))
    const kept = Option.getRight(parseSecretsKey(text))
    if (Option.isNone(kept)) return yield* fail("damaged")
    if (given !== null && !timingSafeEqual(Redacted.value(given), kept.value)) return yield* fail("differs")
    return Redacted.make(kept.value)
  })

/** The keys of everything secret: from the settings, else (with the embedded database) from a file made at the first start. */
export const secrets = (settings: Settings) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { databaseUrl, secretsKey } = settings
      if (databaseUrl === null) {
        return Secrets.layer(yield* fromFile(yield* openDataFolder(settings.dataDir), secretsKey))
      }
      if (secretsKey === null) {
        return yield* new SecretsKeyRefused({ reason: "required", file: "" })
      }
      return Secrets.layer(secretsKey)
    }),
  )

/** Where a secrets key is looked for, and the id of the one that is there. */
interface SecretsKeyInPlace {
  /** The file of the key, in the data folder as it is set; null where only EARMARK_SECRETS_KEY can name it. */
  readonly file: string | null
  /** Null where there is none, or where it is damaged. */
  readonly id: string | null
}

/** The secrets key that the settings lead to now. None is made. */
export const secretsKeyInPlace = ({ databaseUrl, secretsKey, dataDir }: Settings) =>
  Effect.gen(function* () {
    const idOf = (key: Uint8Array): string => deriveKeys(key).id
    if (databaseUrl === null) yield* openDataFolder(dataDir)
    const file = databaseUrl === null ? secretsFile(dataDir) : null
    const given = secretsKey === null ? null : idOf(Redacted.value(secretsKey))
    if (file === null || given !== null) return { file, id: given } satisfies SecretsKeyInPlace
    const text = yield* Effect.tryPromise({
      try: () => readKey(file),
      catch: (error) => new DataFolderUnfit({ folder: dataDir, trouble: fileTrouble(error) }),
    })
    const id = Option.map(Option.getRight(parseSecretsKey(text ?? "")), idOf)
    return { file, id: Option.getOrNull(id) } satisfies SecretsKeyInPlace
  })

/** `claimStore`, with the place of the key that differs. */
export const ownStore = (settings: Settings) => {
  const { databaseUrl, secretsKey, dataDir } = settings
  const isInFile = databaseUrl === null && secretsKey === null
  const differs = Effect.gen(function* () {
    const file = isInFile ? secretsFile(yield* openDataFolder(dataDir)) : ""
    return yield* new SecretsKeyRefused({ reason: "anothers", file })
  })
  return Effect.catchTag(claimStore, "SecretsKeyDiffers", () => differs)
}
