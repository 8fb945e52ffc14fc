/** Small records of earlier runs, a file each, in the state folder of the user. */
import { createHash } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect, Option, Schema } from "effect"

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

/** A record that is there and can be read. */
export const readRecord = <Type, Wire>(path: string, schema: Schema.Schema<Type, Wire>) => {
  const decode = Schema.decodeUnknownOption(Schema.parseJson(schema))
  return Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.map((text) => Option.getOrNull(decode(text))),
    Effect.orElseSucceed(() => null),
  )
}

let drafts = 0

/** Writes a record whole or not at all. Answers whether it could. */
export const writeRecord = (path: string, record: unknown): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const draft = `${path}.${process.pid}-${drafts++}.new`
    await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 })
    await rename(draft, path)
    return true
  }).pipe(Effect.orElseSucceed(() => false))

export const removeRecord = (path: string): Effect.Effect<void> =>
  Effect.promise(() => rm(path, { force: true }).catch(() => {}))
