import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises"
import { AccountId } from "@earmark/core/jobs"
import { makeMediaRef } from "@earmark/core/wire"
import { ObjectStore } from "@earmark/service"
import { objectStoreContract } from "@earmark/testkit/contracts"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { withProgram } from "../../../../test/servers/withProgram.js"
import { ObjectStoreDisk } from "../../src/index.js"
import { hashOfFile, temporaryDirectory } from "../fetch/files.js"
import { heldMegabytes, LARGE_BYTES, largeBody, largeHash } from "./large.js"

const program = withProgram(new URL("putter.ts", import.meta.url))

const inTemporaryDirectory = Layer.unwrapScoped(
  Effect.map(temporaryDirectory, (directory) => ObjectStoreDisk.layer({ directory })),
)

objectStoreContract("disk", {
  layer: inTemporaryDirectory,
  now: Effect.succeed(0),
  advance: () => Effect.void,
})

const newKey = () =>
  makeMediaRef(AccountId.make("acct_01k00000000000000000000000"), randomUUID(), "audio/mpeg")
const contentType = "audio/mpeg"

describe("objects on disk", () => {
  it.scopedLive("are there for the next process, and for another at the same time", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const key = newKey()
      const put = (store: ObjectStore["Type"]) =>
        Effect.either(store.put({ key, contentType, bytes: 5 }, Stream.make(Buffer.from("12345"))))
      const stores = yield* Effect.all(
        [1, 2].map(() => Layer.build(Layer.fresh(ObjectStoreDisk.layer({ directory })))),
      ).pipe(Effect.map((contexts) => contexts.map((context) => Context.get(context, ObjectStore))))
      const results = yield* Effect.all(stores.map(put), { concurrency: 2 })
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).sort(), ["Left", "Right"])
    }),
  )

  it.scopedLive(
    "of gigabytes pass in constant memory",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const key = newKey()
        yield* Effect.gen(function* () {
          const objects = yield* ObjectStore
          const before = heldMegabytes()
          let most = before
          const watched = Stream.tap(largeBody, () =>
            Effect.sync(() => (most = Math.max(most, heldMegabytes()))),
          )
          const etag = yield* objects.put({ key, contentType, bytes: LARGE_BYTES }, watched)
          assert.strictEqual(etag, largeHash)
          yield* Stream.runForEach(objects.read(key), () =>
            Effect.sync(() => {
              most = Math.max(most, heldMegabytes())
            }),
          )
          assert.isBelow(most - before, 100)
        }).pipe(Effect.provide(ObjectStoreDisk.layer({ directory })))
        assert.strictEqual(yield* hashOfFile(`${directory}/${key}/bytes`), largeHash)
      }),
    120_000,
  )

  it.scopedLive(
    "that a killed process began are never seen, and swept when nobody can be writing them any more",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const key = newKey()
        const child = spawn(process.execPath, [program(), directory, key], { stdio: "ignore" })
        const incoming = `${directory}/incoming`
        const begun = Effect.promise(() => readdir(incoming).catch(() => [])).pipe(
          Effect.delay("5 millis"),
          Effect.repeat({ until: (names) => names.length > 0 }),
        )
        const [name = ""] = yield* begun
        const bytes = `${incoming}/${name}/bytes`
        yield* Effect.promise(() =>
          stat(bytes).then(
            ({ size }) => size,
            () => 0,
          ),
        ).pipe(Effect.delay("5 millis"), Effect.repeat({ until: (size) => size > 100_000 }))
        child.kill("SIGKILL")
        yield* Effect.async<void>((resume) => void child.once("exit", () => resume(Effect.void)))
        const young = `${incoming}/young`
        yield* Effect.promise(() => mkdir(young))
        yield* Effect.promise(() => writeFile(`${young}/bytes`, "x"))
        yield* Effect.promise(() => utimes(bytes, 1, 1))
        yield* Effect.promise(() => utimes(`${incoming}/${name}`, 1, 1))
        yield* Effect.gen(function* () {
          const objects = yield* ObjectStore
          assert.strictEqual(yield* objects.head(key), null)
          yield* Effect.promise(() => readdir(incoming)).pipe(
            Effect.delay("5 millis"),
            Effect.repeat({ until: (names) => !names.includes(name) }),
            Effect.timeout("10 seconds"),
          )
          assert.deepStrictEqual(yield* Effect.promise(() => readdir(incoming)), ["young"])
          yield* objects.put({ key, contentType, bytes: 1 }, Stream.make(Buffer.from("x")))
        }).pipe(Effect.provide(ObjectStoreDisk.layer({ directory })))
      }),
    120_000,
  )
})
