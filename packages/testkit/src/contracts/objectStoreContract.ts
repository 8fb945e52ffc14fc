import { randomBytes, randomUUID } from "node:crypto"
import { AccountId } from "@earmark/core/jobs"
import { makeMediaRef } from "@earmark/core/wire"
import { ObjectStore, TimeLimit } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { type Backend, type Case, promise, runCases, type StoreClock } from "./Case.js"
import { racing, refusal } from "./working.js"

const account = AccountId.make("acct_01k00000000000000000000000")

const newKey = Effect.sync(() => makeMediaRef(account, randomUUID(), "audio/mpeg"))

/** Bytes in pieces of uneven lengths. */
const inPieces = (bytes: Uint8Array): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(
    [0, 1, 2, 3].map((piece) => bytes.slice(piece * 100, piece < 3 ? piece * 100 + 100 : undefined)),
  )

const contentType = "audio/mpeg"

const put = (key: string, bytes: Uint8Array, announced = bytes.length) =>
  Effect.flatMap(ObjectStore, (objects) =>
    objects.put({ key, contentType, bytes: announced }, inPieces(bytes)),
  )

const read = (key: string, range?: { readonly from?: number; readonly to?: number }) =>
  Effect.gen(function* () {
    const objects = yield* ObjectStore
    const chunks = yield* Stream.runCollect(objects.read(key, range))
    return Buffer.concat([...chunks]).toString("hex")
  })

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const reasonOf = (key: string, bytes: Uint8Array, announced?: number) =>
  Effect.map(Effect.flip(put(key, bytes, announced)), (error) =>
    error._tag === "ObjectRefused" ? error.reason : error._tag,
  )

const isGone = (key: string) =>
  Effect.gen(function* () {
    const objects = yield* ObjectStore
    return (yield* objects.head(key)) === null && (yield* refusal(read(key))) === "ObjectMissing"
  })

export const objectStoreCases: ReadonlyArray<Case<ObjectStore | StoreClock>> = [
  promise(
    "what was put is there, byte for byte, under an ETag that depends on the bytes",
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const [first, second] = [yield* newKey, yield* newKey]
      const bytes = randomBytes(1000)
      const etag = yield* put(first, bytes)
      assert.deepStrictEqual(yield* objects.head(first), { bytes: 1000, contentType, etag })
      assert.strictEqual(yield* read(first), hex(bytes))
      assert.notStrictEqual(yield* put(second, randomBytes(1000)), etag)
    }),
  ),
  promise(
    "ranges are read, also over the end",
    Effect.gen(function* () {
      const key = yield* newKey
      const bytes = randomBytes(500)
      yield* put(key, bytes)
      assert.strictEqual(yield* read(key, { from: 10, to: 250 }), hex(bytes.subarray(10, 250)))
      assert.strictEqual(yield* read(key, { from: 490 }), hex(bytes.subarray(490)))
      assert.strictEqual(yield* read(key, { to: 3 }), hex(bytes.subarray(0, 3)))
      assert.strictEqual(yield* read(key, { from: 450, to: 9999 }), hex(bytes.subarray(450)))
      assert.strictEqual(yield* read(key, { from: 500 }), "")
      assert.strictEqual(yield* read(key, { from: 7, to: 7 }), "")
    }),
  ),
  promise(
    "a body that is shorter or longer than announced is refused, and nothing is kept",
    Effect.gen(function* () {
      const [short, long] = [yield* newKey, yield* newKey]
      assert.strictEqual(yield* reasonOf(short, randomBytes(499), 500), "too_short")
      assert.strictEqual(yield* reasonOf(long, randomBytes(501), 500), "too_long")
      assert.isTrue(yield* isGone(short))
      assert.isTrue(yield* isGone(long))
      yield* put(short, randomBytes(500))
    }),
  ),
  promise(
    "an endless body is cut off",
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const key = yield* newKey
      const endless = Stream.repeatValue(new Uint8Array(1000))
      const refused = yield* Effect.flip(objects.put({ key, contentType, bytes: 5000 }, endless))
      assert.deepInclude(refused, { _tag: "ObjectRefused", reason: "too_long" })
      assert.isTrue(yield* isGone(key))
    }),
  ),
  promise(
    "a body that breaks off leaves nothing, and says why it broke",
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const key = yield* newKey
      const broken = Stream.concat(inPieces(randomBytes(400)), Stream.fail({ _tag: "Broken" } as const))
      assert.strictEqual(yield* refusal(objects.put({ key, contentType, bytes: 800 }, broken)), "Broken")
      assert.isTrue(yield* isGone(key))
    }),
  ),
  promise(
    "an interrupted put leaves nothing",
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const key = yield* newKey
      const stuck = Stream.concat(inPieces(randomBytes(400)), Stream.never)
      const result = yield* TimeLimit.option(
        objects.put({ key, contentType, bytes: 800 }, stuck),
        "50 millis",
      )
      assert.strictEqual(result._tag, "None")
      assert.isTrue(yield* isGone(key))
      yield* put(key, randomBytes(400))
    }),
  ),
  promise(
    "a key is used once; of two at once one wins, and its bytes stay",
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const key = yield* newKey
      const bodies = [randomBytes(450), randomBytes(450), randomBytes(450)]
      const results = yield* racing(3, (index) =>
        Effect.either(put(key, bodies[index] ?? new Uint8Array(450))),
      )
      const winner = results.findIndex((result) => result._tag === "Right")
      assert.strictEqual(results.filter((result) => result._tag === "Right").length, 1)
      assert.strictEqual(yield* read(key), hex(bodies[winner] ?? new Uint8Array()))
      assert.strictEqual(yield* reasonOf(key, randomBytes(450)), "exists")
      assert.strictEqual(yield* read(key), hex(bodies[winner] ?? new Uint8Array()))
      yield* objects.remove(key)
      yield* objects.remove(key)
      assert.isTrue(yield* isGone(key))
    }),
  ),
  promise(
    "only keys of uploads are taken",
    Effect.gen(function* () {
      const good = yield* newKey
      const keys = [
        "",
        "uploads",
        `uploads/${account}/../${randomUUID()}.mp3`,
        `uploads/${account}/%2f${randomUUID()}.mp3`,
        `${good}\0`,
        `${good}/`,
        `/${good}`,
        good.replace("uploads", "other"),
        good.replace("acct_", "acct-"),
        `uploads/${account}/${randomUUID()}.ｍp3`,
      ]
      for (const key of keys) {
        assert.strictEqual(yield* reasonOf(key, randomBytes(10)), "key_invalid", JSON.stringify(key))
        assert.isTrue(yield* isGone(key), JSON.stringify(key))
      }
    }),
  ),
]

/** Every layer of `ObjectStore` passes this suite unchanged. */
export const objectStoreContract = <Own, E>(name: string, backend: Backend<ObjectStore, Own, E>): void =>
  runCases(`ObjectStore: ${name}`, backend, objectStoreCases)
