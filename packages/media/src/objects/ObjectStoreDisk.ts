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
  writeFile,
} from "node:fs/promises"
import { dirname, join } from "node:path"
import { isObjectKey, ObjectMissing, ObjectRefused, ObjectStore, StorageError } from "@earmark/service"
import { Clock, Duration, Effect, Layer, Schedule, Schema, Stream } from "effect"

export interface ObjectStoreDiskOptions {
  /** Made when it is not there. Several processes may share it, if its file system renames atomically. */
  readonly directory: string
  /** What arrived in part only is taken away when nobody has written to it for so long. A day by default. */
  readonly abandonedAfter?: Duration.DurationInput
}

/** An object is a folder of two files, made elsewhere and moved to its place: it is there whole, or not at all. */
const BYTES = "bytes"
const FACTS = "facts.json"
const INCOMING = "incoming"

const Facts = Schema.parseJson(
  Schema.Struct({ bytes: Schema.Number, contentType: Schema.String, etag: Schema.String }),
)

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined)

const isMissing = (error: unknown) => codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR"
const isTaken = (error: unknown) => codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST"

const onDisk = <A>(operation: string, work: () => Promise<A>): Effect.Effect<A, StorageError> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new StorageError({ operation, reason: "unavailable", cause }),
  })

const syncDirectory = async (path: string) => {
  const directory = await open(path, "r")
  await directory.sync().finally(() => directory.close())
}

const refuse = (reason: ObjectRefused["reason"]) => new ObjectRefused({ reason })

/** Writes exactly so many bytes, and answers their hash. */
const fill = <E>(file: FileHandle, bytes: number, body: Stream.Stream<Uint8Array, E>) =>
  Effect.gen(function* () {
    const hash = createHash("sha256")
    let length = 0
    yield* Stream.runForEach(body, (chunk) =>
      Effect.suspend((): Effect.Effect<void, ObjectRefused | StorageError> => {
        length += chunk.length
        if (length > bytes) return refuse("too_long")
        hash.update(chunk)
        return onDisk("ObjectStore.put", () => file.writeFile(chunk))
      }),
    )
    if (length < bytes) return yield* refuse("too_short")
    return hash.digest("hex")
  })

const make = (options: ObjectStoreDiskOptions) => {
  const { directory } = options
  const incoming = join(directory, INCOMING)
  const placeOf = (key: string) => join(directory, key)

  /** A folder of our own beside the objects; what is still in it when the scope ends goes. */
  const workplace = Effect.acquireRelease(
    onDisk("ObjectStore.put", async () => {
      const path = join(incoming, randomBytes(16).toString("hex"))
      await mkdir(path, { recursive: true, mode: 0o700 })
      return path
    }),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }).catch(() => undefined)),
  )

  const factsOf = (key: string) =>
    onDisk("ObjectStore.head", () =>
      readFile(join(placeOf(key), FACTS), "utf8").catch((error) => {
        if (isMissing(error)) return null
        throw error
      }),
    ).pipe(
      Effect.flatMap((text) => (text === null ? Effect.succeed(null) : Schema.decode(Facts)(text))),
      Effect.catchTag("ParseError", (cause) =>
        Effect.fail(new StorageError({ operation: "ObjectStore.head", reason: "broken", cause })),
      ),
    )

  const head: ObjectStore["Type"]["head"] = (key) => (isObjectKey(key) ? factsOf(key) : Effect.succeed(null))

  /** Moves the folder to its place, unless that is taken. */
  const publish = (folder: string, place: string) =>
    onDisk("ObjectStore.put", async () => {
      await syncDirectory(folder)
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      try {
        await rename(folder, place)
      } catch (error) {
        if (isTaken(error)) return false
        throw error
      }
      await syncDirectory(dirname(place))
      return true
    })

  const put: ObjectStore["Type"]["put"] = Effect.fn("ObjectStore.put")(function* (
    { key, contentType, bytes },
    body,
  ) {
    if (!isObjectKey(key)) return yield* refuse("key_invalid")
    if ((yield* factsOf(key)) !== null) return yield* refuse("exists")
    const folder = yield* workplace
    const file = yield* Effect.acquireRelease(
      onDisk("ObjectStore.put", () => open(join(folder, BYTES), "wx", 0o600)),
      (file) => Effect.promise(() => file.close().catch(() => undefined)),
    )
    const etag = yield* fill(file, bytes, body)
    const facts = Schema.encodeSync(Facts)({ bytes, contentType, etag })
    yield* onDisk("ObjectStore.put", async () => {
      await file.sync()
      await writeFile(join(folder, FACTS), facts, { mode: 0o600, flush: true })
    })
    return (yield* publish(folder, placeOf(key))) ? etag : yield* refuse("exists")
  }, Effect.scoped)

  const read: ObjectStore["Type"]["read"] = (key, { from = 0, to } = {}) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const facts = yield* head(key)
        if (facts === null) return yield* new ObjectMissing({ key })
        const end = Math.min(to ?? facts.bytes, facts.bytes)
        if (from >= end) return Stream.empty
        const open = () =>
          createReadStream(join(placeOf(key), BYTES), { start: from, end: end - 1, highWaterMark: 262_144 })
        return Stream.suspend(() =>
          Stream.fromAsyncIterable<Uint8Array, ObjectMissing | StorageError>(open(), (cause) =>
            isMissing(cause)
              ? new ObjectMissing({ key })
              : new StorageError({ operation: "ObjectStore.read", reason: "unavailable", cause }),
          ),
        )
      }),
    )

  const remove: ObjectStore["Type"]["remove"] = Effect.fn("ObjectStore.remove")(function* (key) {
    if (!isObjectKey(key)) return
    const folder = yield* workplace
    yield* onDisk("ObjectStore.remove", () =>
      rename(placeOf(key), folder).catch((error) => {
        if (!isMissing(error)) throw error
      }),
    )
  }, Effect.scoped)

  const abandonedAfter = Duration.toMillis(options.abandonedAfter ?? "1 day")

  const lastTouched = async (folder: string) => {
    const times = await Promise.all(
      [folder, join(folder, BYTES)].map((path) =>
        stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    )
    return Math.max(...times)
  }

  /** Takes away what a killed process left of uploads under way. */
  const sweep = Effect.gen(function* () {
    const oldest = (yield* Clock.currentTimeMillis) - abandonedAfter
    yield* onDisk("ObjectStore.sweep", async () => {
      for (const name of await readdir(incoming)) {
        const folder = join(incoming, name)
        if ((await lastTouched(folder)) < oldest) await rm(folder, { recursive: true, force: true })
      }
    })
  })

  const prepare = onDisk("ObjectStore.open", () => mkdir(incoming, { recursive: true, mode: 0o700 }))

  return { store: ObjectStore.of({ put, head, read, remove }), prepare, sweep }
}

/** Objects in a folder. */
export const layer = (options: ObjectStoreDiskOptions): Layer.Layer<ObjectStore, StorageError> =>
  Layer.scoped(
    ObjectStore,
    Effect.gen(function* () {
      const { store, prepare, sweep } = make(options)
      yield* prepare
      yield* sweep.pipe(
        Effect.catchAll((error) => Effect.logWarning("Abandoned uploads could not be taken away", error)),
        Effect.repeat(Schedule.spaced("1 hour")),
        Effect.forkScoped,
      )
      return store
    }),
  )
