/** Small records of earlier runs, a file each, in the state folder of the user. */
import { createHash } from "node:crypto"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect, Option, Schema } from "effect"
import { makeFolders } from "../results/makeFolders.js"

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

/** What the name of a file ends with that is not whole yet. */
export const DRAFT = ".new"

/** Writes a file whole or not at all, for its owner alone. */
export const writeWhole = async (path: string, content: string | Uint8Array): Promise<void> => {
  await makeFolders(dirname(path), 0o700)
  const draft = `${path}.${process.pid}-${drafts++}${DRAFT}`
  await writeFile(draft, content, { mode: 0o600 })
  await rename(draft, path)
}

/** Writes a record whole or not at all. Answers whether it could. */
export const writeRecord = (path: string, record: unknown): Effect.Effect<boolean> =>
  Effect.tryPromise(() => writeWhole(path, `${JSON.stringify(record)}\n`)).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false),
  )

export const removeRecord = (path: string): Effect.Effect<void> =>
  Effect.promise(() => rm(path, { force: true }).catch(() => {}))
