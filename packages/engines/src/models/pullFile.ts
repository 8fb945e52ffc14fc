import { createHash, type Hash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { pipeline } from "node:stream/promises"
import { type FetchedAnswer, Fetcher, type FetchFailed } from "@earmark/service"
import { Effect, Schedule, Stream } from "effect"
import type { ModelFile } from "./Model.js"
import { diskFailed, type ModelFailed, modelFailed } from "./ModelFailed.js"
import { PUBLIC_FILE, PUBLIC_FOLDER } from "./modes.js"

export interface PullFileOptions {
  /** Where it is fetched from: the pinned address, or that of a mirror. */
  readonly url: string
  readonly path: string
  /** An operator named the server, so that it may be a private one. */
  readonly isTrusted: boolean
  /** Is told how many bytes of the file are there. */
  readonly onProgress: (bytes: number) => void
}

const DEADLINE = 6 * 60 * 60 * 1000
const TRIES = 4

/** What is known of a part that a broken download left. */
interface Part {
  readonly bytes: number
  readonly tag: string | null
}

const nothing: Part = { bytes: 0, tag: null }

const tagPath = (path: string) => `${path}.part.tag`
const partPath = (path: string) => `${path}.part`

const readPart = (path: string): Effect.Effect<Part> =>
  Effect.promise(async () => {
    try {
      const { size } = await stat(partPath(path))
      return { bytes: size, tag: await readFile(tagPath(path), "utf8") }
    } catch {
      return nothing
    }
  })

const dropPart = (path: string) =>
  Effect.promise(async () => {
    await rm(partPath(path), { force: true }).catch(() => undefined)
    await rm(tagPath(path), { force: true }).catch(() => undefined)
  })

/** The hash of a file so far, to go on with. */
const hashOf = async (path: string): Promise<Hash> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash, { end: false })
  return hash
}

export const sha256Of = (path: string): Effect.Effect<string, ModelFailed> =>
  Effect.tryPromise({ try: async () => (await hashOf(path)).digest("hex"), catch: diskFailed(path) })

const RANGE = /^bytes (\d+)-/

/** Whether an answer goes on where the part ends; one that starts over is fine too. */
const goesOn = ({ status, headers }: FetchedAnswer, part: Part): boolean =>
  status === 206 && Number(RANGE.exec(headers["content-range"] ?? "")?.[1]) === part.bytes

const tooLong = (url: string, bytes: number): ModelFailed =>
  modelFailed("size", `${url} is longer than the ${bytes} bytes that are pinned; it was not kept.`)

const unreachable = (url: string, { detail }: FetchFailed, folder: string): ModelFailed =>
  modelFailed(
    "offline",
    `Could not reach ${new URL(url).host}: ${detail.replace(/\.$/, "")}. Models can be copied by hand into ${folder}; \`earmark models verify\` checks them.`,
  )

/**
 * Gets one file into its place: what a broken download left is gone on with, the bytes are hashed as they come, and only a
 * file of the pinned size and checksum ever has its name. Answers the checksum.
 */
export const pullFile = (
  file: ModelFile,
  options: PullFileOptions,
): Effect.Effect<string, ModelFailed, Fetcher> => {
  const { url, path, isTrusted, onProgress } = options

  const write = Effect.fnUntraced(function* (
    handle: FileHandle,
    hash: Hash,
    from: number,
    answer: FetchedAnswer,
  ) {
    let bytes = from
    yield* Stream.runForEach(answer.body, (chunk) =>
      Effect.gen(function* () {
        bytes += chunk.length
        if (bytes > file.bytes) {
          return yield* tooLong(url, file.bytes)
        }
        hash.update(chunk)
        yield* Effect.tryPromise({ try: () => handle.appendFile(chunk), catch: diskFailed(path) })
        onProgress(bytes)
      }),
    )
    yield* Effect.tryPromise({ try: () => handle.sync(), catch: diskFailed(path) })
    return bytes
  })

  const attempt = Effect.gen(function* () {
    const { fetch } = yield* Fetcher
    const found = yield* readPart(path)
    const part = found.bytes < file.bytes && found.tag !== null && found.tag !== "" ? found : nothing
    const answer = yield* fetch({
      url,
      headers: {
        "accept-encoding": "identity",
        ...(part.bytes > 0 ? { range: `bytes=${part.bytes}-`, "if-range": part.tag ?? "" } : {}),
      },
      deadline: DEADLINE,
      maxBytes: file.bytes + 1,
      redirects: 5,
      trusted: isTrusted,
    })
    if (answer.status === 416) {
      yield* dropPart(path)
      return yield* modelFailed(
        "refused",
        `${url} does not go on where the last download ended; pull it again.`,
      )
    }
    if (answer.status !== 200 && answer.status !== 206) {
      return yield* modelFailed(
        "refused",
        `${new URL(url).host} answered ${answer.status} for ${file.name}; try later, or name a --mirror.`,
      )
    }
    const from = goesOn(answer, part) ? part.bytes : 0
    if (answer.status === 206 && from === 0) {
      yield* dropPart(path)
      return yield* modelFailed("refused", `${url} answered another part than was asked for; pull it again.`)
    }
    const announced = answer.headers["content-length"]
    if (announced !== undefined && Number(announced) !== file.bytes - from) {
      return yield* modelFailed(
        "size",
        `${url} announces ${announced} bytes where ${file.bytes - from} are pinned; it was not taken.`,
      )
    }
    const disk = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: diskFailed(path) })
    const hash = yield* disk(() =>
      from > 0 ? hashOf(partPath(path)) : Promise.resolve(createHash("sha256")),
    )
    yield* disk(() => writeFile(tagPath(path), answer.headers.etag ?? "", { mode: PUBLIC_FILE }))
    const handle = yield* Effect.acquireRelease(
      disk(() => open(partPath(path), from > 0 ? "a" : "w", PUBLIC_FILE)),
      (opened) => Effect.promise(() => opened.close().catch(() => undefined)),
    )
    const bytes = yield* write(handle, hash, from, answer)
    if (bytes < file.bytes) {
      return yield* modelFailed(
        "offline",
        `${new URL(url).host} ended ${file.name} after ${bytes} of ${file.bytes} bytes; pull it again to go on.`,
      )
    }
    return hash.digest("hex")
  }).pipe(Effect.scoped)

  const isWorthAnother = (failure: ModelFailed | FetchFailed) =>
    failure._tag === "FetchFailed" ? failure.isTransient : failure.reason === "offline"

  return Effect.gen(function* () {
    yield* Effect.tryPromise({
      try: () => mkdir(dirname(path), { recursive: true, mode: PUBLIC_FOLDER }),
      catch: diskFailed(path),
    })
    const hash = yield* attempt.pipe(
      Effect.retry({ times: TRIES - 1, while: isWorthAnother, schedule: Schedule.exponential("200 millis") }),
      Effect.catchTag("FetchFailed", (failure) =>
        Effect.fail(
          failure.reason === "too_large"
            ? tooLong(url, file.bytes)
            : unreachable(url, failure, dirname(path)),
        ),
      ),
    )
    if (file.sha256 !== null && hash !== file.sha256) {
      yield* dropPart(path)
      return yield* modelFailed(
        "checksum",
        `${file.name} has the checksum ${hash}, not the pinned ${file.sha256}; it was not kept.`,
      )
    }
    yield* Effect.tryPromise({ try: () => rename(partPath(path), path), catch: diskFailed(path) })
    yield* dropPart(path)
    return hash
  })
}
