import { createHash, randomBytes } from "node:crypto"
import { createReadStream } from "node:fs"
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises"
import { join } from "node:path"
import { FetchFailed } from "@earmark/service"
import { Clock, Effect, Schema, Stream } from "effect"
import { failed } from "../fetch/failures.js"
import { type Body, Kept, type Shelf, type ShelfLimits, type Shelved } from "./shelf.js"

/** Facts name the file of their body: a body is never changed, so the two always belong together. */
const Facts = Schema.parseJson(Schema.Struct({ kept: Kept, file: Schema.String }))

const FACTS = ".json"
const BODY = ".body"
/** A body that no facts name is being written, or is left of a process that is gone. */
const ABANDONED_AFTER = 3_600_000

const onDisk = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: (error) => error })

const unreadable = () => failed("interrupted", "A kept answer could not be read from the disk")

const streamOf = (path: string): Body =>
  Stream.suspend(() =>
    Stream.fromAsyncIterable<Uint8Array, FetchFailed>(
      createReadStream(path, { highWaterMark: 262_144 }),
      unreadable,
    ),
  )

/** Answers in a folder, for all processes that share it. */
export const makeDiskShelf = (directory: string, limits: ShelfLimits): Shelf => {
  const factsOf = (key: string) => join(directory, `${key}${FACTS}`)
  const read = (key: string) =>
    onDisk(() => readFile(factsOf(key), "utf8")).pipe(Effect.flatMap(Schema.decode(Facts)))

  const write = (key: string, kept: Kept, file: string) =>
    onDisk(async () => {
      const part = join(directory, `${randomBytes(8).toString("hex")}.part`)
      await writeFile(part, Schema.encodeSync(Facts)({ kept, file }), { mode: 0o600 })
      await rename(part, factsOf(key))
    })

  const shelved = (kept: Kept, file: string): Shelved => ({ kept, body: streamOf(join(directory, file)) })

  const find = (key: string) =>
    Effect.gen(function* () {
      const { kept, file } = yield* read(key)
      const now = (yield* Clock.currentTimeMillis) / 1000
      const { size } = yield* onDisk(() => stat(join(directory, file)))
      if (size !== kept.bytes) return null
      yield* onDisk(() => utimes(factsOf(key), now, now))
      return shelved(kept, file)
    }).pipe(Effect.orElseSucceed(() => null))

  /** The least used entries go until the rest fits; so do bodies without facts. */
  const tidy = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const names = yield* onDisk(() => readdir(directory))
    const entries = yield* Effect.forEach(
      names.filter((name) => name.endsWith(FACTS)),
      (name) =>
        Effect.gen(function* () {
          const { kept, file } = yield* read(name.slice(0, -FACTS.length))
          const { mtimeMs } = yield* onDisk(() => stat(join(directory, name)))
          return [{ name, file, bytes: kept.bytes, usedAt: mtimeMs }]
        }).pipe(Effect.orElseSucceed(() => [])),
    ).pipe(Effect.map((found) => found.flat().sort((a, b) => b.usedAt - a.usedAt)))
    const needed = new Set<string>()
    let bytes = 0
    for (const [index, entry] of entries.entries()) {
      bytes += entry.bytes
      if (bytes <= limits.maxBytes && index < limits.maxEntries) needed.add(entry.file)
      else yield* onDisk(() => rm(join(directory, entry.name), { force: true }))
    }
    for (const name of names.filter((name) => !name.endsWith(FACTS) && !needed.has(name))) {
      const path = join(directory, name)
      const isNamed = entries.some(({ file }) => file === name)
      const { mtimeMs } = yield* onDisk(() => stat(path))
      if (isNamed || now - mtimeMs > ABANDONED_AFTER) yield* onDisk(() => rm(path, { force: true }))
    }
  }).pipe(Effect.catchAll((error) => Effect.logDebug("The kept answers could not be tidied", error)))

  const fill = Effect.fnUntraced(function* (file: FileHandle, body: Body) {
    const hash = createHash("sha256")
    let bytes = 0
    yield* Stream.runForEachWhile(body, (chunk) =>
      Effect.suspend(() => {
        bytes += chunk.length
        if (bytes > limits.maxEntryBytes) return Effect.succeed(false)
        hash.update(chunk)
        return Effect.as(
          onDisk(() => file.writeFile(chunk)),
          true,
        )
      }),
    )
    return { bytes, sha256: hash.digest("hex") }
  })

  const store = Effect.fnUntraced(function* (key: string, facts: Parameters<Shelf["put"]>[1], body: Body) {
    const name = `${randomBytes(16).toString("hex")}${BODY}`
    const path = join(directory, name)
    yield* onDisk(() => mkdir(directory, { recursive: true, mode: 0o700 }))
    const file = yield* Effect.acquireRelease(
      onDisk(() => open(path, "wx", 0o600)),
      (file) => Effect.promise(() => file.close().catch(() => undefined)),
    )
    const discard = onDisk(() => rm(path, { force: true }))
    const { bytes, sha256 } = yield* fill(file, body).pipe(Effect.onError(() => Effect.ignore(discard)))
    if (bytes > limits.maxEntryBytes) {
      yield* discard
      return null
    }
    yield* onDisk(() => file.sync())
    const kept = { ...facts, bytes, sha256 }
    const before = yield* Effect.option(read(key))
    yield* write(key, kept, name)
    if (before._tag === "Some") yield* onDisk(() => rm(join(directory, before.value.file), { force: true }))
    yield* tidy
    return shelved(kept, name)
  }, Effect.scoped)

  return {
    find,
    put: (key, facts, body) =>
      Effect.catchAll(store(key, facts, body), (error) =>
        error instanceof FetchFailed
          ? Effect.fail(error)
          : Effect.as(Effect.logWarning("An answer could not be kept on the disk", error), null),
      ),
    renew: (key, kept) => Effect.ignore(Effect.flatMap(read(key), ({ file }) => write(key, kept, file))),
  }
}
