import { createHash } from "node:crypto"
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { parseRetryAfter } from "@earmark/core/jobs"
import { Effect, Option, Schema } from "effect"
import { onDisk } from "./disk.js"

/** What has to be known to go on with a broken download: whose it is, and of which version of it. */
const Kept = Schema.parseJson(
  Schema.Struct({ address: Schema.String, validator: Schema.String, total: Schema.NullOr(Schema.Number) }),
)
type Kept = typeof Kept.Type

/** A download that broke off and can be gone on with. */
export interface Broken {
  readonly bytes: number
  readonly validator: string
  readonly total: number | null
}

const partOf = (path: string) => `${path}.part`
const keptOf = (path: string) => `${path}.part.json`

/** The address may carry a secret: only its hash is written. */
const hashOf = (url: string) => createHash("sha256").update(url).digest("hex")

const decodeKept = Schema.decodeUnknownOption(Kept)

const secondsOf = (httpDate: string | undefined) =>
  httpDate === undefined ? null : parseRetryAfter(httpDate, 0)

/**
 * What tells that a later answer is of the very same bytes: a strong ETag, or a date of change that lies so far before the answer that
 * the bytes cannot have changed twice within its second.
 */
export const strongValidator = (headers: Readonly<Record<string, string>>): string | null => {
  const { etag, "last-modified": modified, date } = headers
  if (etag !== undefined) return etag.startsWith("W/") ? null : etag
  const [changed, answered] = [secondsOf(modified), secondsOf(date)]
  const isSettled = changed !== null && answered !== null && answered - changed >= 60
  return isSettled && modified !== undefined ? modified : null
}

/** What a broken download of this address left beside `path`, if it can be gone on with. */
export const brokenAt = Effect.fnUntraced(function* (path: string, url: string) {
  const size = yield* onDisk(() => stat(partOf(path))).pipe(
    Effect.map(({ size }) => size),
    Effect.orElseSucceed(() => 0),
  )
  const kept: Option.Option<Kept> = yield* onDisk(() => readFile(keptOf(path), "utf8")).pipe(
    Effect.map(decodeKept),
    Effect.orElseSucceed(() => Option.none()),
  )
  if (Option.isNone(kept) || kept.value.address !== hashOf(url)) return null
  const { validator, total } = kept.value
  // When only the renaming was missing, the last byte is asked for again: the server says whether it is still the same file.
  const bytes = size === total ? size - 1 : size
  return bytes > 0 && (total === null || bytes < total) ? { bytes, validator, total } : null
})

/** The part file, cut to what is gone on with. */
export const openPart = (path: string, from: number) =>
  Effect.acquireRelease(
    onDisk(async () => {
      const file = await open(partOf(path), from > 0 ? "r+" : "w", 0o600)
      await file.truncate(from)
      return file
    }),
    (file) => Effect.promise(() => file.close().catch(() => undefined)),
  )

export const writeAt = (file: FileHandle, chunk: Uint8Array, position: number) =>
  onDisk(async () => {
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
      done += bytesWritten
    }
  })

/** Says, before the first byte, what these bytes will be of. */
export const keep = (path: string, url: string, validator: string | null, total: number | null) =>
  onDisk(() =>
    validator === null
      ? rm(keptOf(path), { force: true })
      : writeFile(keptOf(path), Schema.encodeSync(Kept)({ address: hashOf(url), validator, total }), {
          mode: 0o600,
        }),
  )

export const forget = (path: string) =>
  onDisk(async () => {
    await rm(keptOf(path), { force: true })
    await rm(partOf(path), { force: true })
  })

/** Makes the part file the file, for good. */
export const complete = (path: string, file: FileHandle) =>
  onDisk(async () => {
    await file.sync()
    await rename(partOf(path), path)
    const directory = await open(dirname(path), "r")
    await directory.sync().finally(() => directory.close())
    await rm(keptOf(path), { force: true })
  })
