import type { AccountId } from "@earmark/core/jobs"
import { ObjectStore, Upkeep, UploadParts, Uploads } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream, TestClock } from "effect"
import { create, get, inWorld, newAccount, settle, withWorker } from "../world.js"

const MEBIBYTE = 1024 * 1024
/** Two parts of 5 MiB and one of 2. */
const bytes = 12 * MEBIBYTE
const whole = Uint8Array.from({ length: bytes }, (_, at) => (at * 31) % 251)

const begin = (account: AccountId) =>
  Effect.gen(function* () {
    const uploads = yield* Uploads
    const { answer } = yield* uploads.create(account, {
      filename: "talk.mp3",
      contentType: "audio/mpeg",
      bytes,
    })
    return answer.mediaRef
  })

/** Sends a part as a client does: by the address alone. */
const send = (url: string, body: Uint8Array) =>
  Effect.gen(function* () {
    const { pathname, searchParams } = new URL(url)
    return yield* (yield* Uploads).receive({
      mediaRef: pathname.slice(1),
      query: {
        contentType: searchParams.get("type") ?? "",
        bytes: Number(searchParams.get("bytes")),
        expiresAt: Number(searchParams.get("expires")),
        signature: searchParams.get("signature") ?? "",
      },
      contentType: "application/octet-stream",
      contentLength: body.length,
      body: Stream.make(body),
    })
  })

/** The bytes of a part. */
const piece = (number: number) => whole.subarray((number - 1) * 5 * MEBIBYTE, number * 5 * MEBIBYTE)

const sendMissing = (account: AccountId, mediaRef: string, only?: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const { parts } = yield* (yield* UploadParts).list(account, mediaRef)
    for (const { partNumber, isReceived, uploadUrl } of parts)
      if (!isReceived && only?.includes(partNumber) !== false) yield* send(uploadUrl, piece(partNumber))
  })

const receivedOf = (account: AccountId, mediaRef: string) =>
  Effect.gen(function* () {
    const { parts } = yield* (yield* UploadParts).list(account, mediaRef)
    return parts.map(({ isReceived }) => isReceived)
  })

const stored = (key: string) =>
  Effect.gen(function* () {
    const chunks = yield* Stream.runCollect((yield* ObjectStore).read(key))
    return Buffer.concat([...chunks])
  })

describe("uploads in parts", () => {
  it.effect("go on after a break with what is missing, and become one file", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const parts = yield* UploadParts
      const mediaRef = yield* begin(account)
      const { parts: all } = yield* parts.list(account, mediaRef)
      assert.deepStrictEqual(
        all.map((part) => part.bytes),
        [5 * MEBIBYTE, 5 * MEBIBYTE, 2 * MEBIBYTE],
      )
      const none = yield* Effect.flip(parts.complete(account, mediaRef))
      assert.match(none.message, /^Part 1 and 2 more of 3 have not arrived/)
      yield* sendMissing(account, mediaRef, [1, 3])
      assert.deepStrictEqual(yield* receivedOf(account, mediaRef), [true, false, true])
      const early = yield* Effect.flip(parts.complete(account, mediaRef))
      assert.strictEqual(early._tag, "PartsMissing")
      assert.match(early.message, /^Part 2 of 3 has not arrived/)

      yield* sendMissing(account, mediaRef)
      assert.deepStrictEqual(yield* parts.complete(account, mediaRef), { mediaRef })
      assert.isTrue((yield* stored(mediaRef)).equals(whole))
      const { id } = yield* create(account, { media_ref: mediaRef })
      yield* withWorker(settle)
      assert.strictEqual((yield* get(account, id)).status, "done")
    }).pipe(inWorld()),
  )

  it.effect("completing twice changes nothing, and no part is left", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const parts = yield* UploadParts
      const objects = yield* ObjectStore
      const mediaRef = yield* begin(account)
      const { parts: all } = yield* parts.list(account, mediaRef)
      yield* sendMissing(account, mediaRef)
      yield* Effect.all([parts.complete(account, mediaRef), parts.complete(account, mediaRef)], {
        concurrency: 2,
      })
      yield* parts.complete(account, mediaRef)
      assert.isTrue((yield* stored(mediaRef)).equals(whole))
      for (const { uploadUrl } of all)
        assert.isNull(yield* objects.head(new URL(uploadUrl).pathname.slice(1)))
      assert.deepStrictEqual(yield* receivedOf(account, mediaRef), [true, true, true])
    }).pipe(inWorld()),
  )

  it.effect("are not known to other accounts, and parts are taken once and as announced", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const parts = yield* UploadParts
      const mediaRef = yield* begin(account)
      assert.strictEqual((yield* Effect.flip(parts.list(other, mediaRef)))._tag, "MediaRefUnknown")
      assert.strictEqual((yield* Effect.flip(parts.complete(other, mediaRef)))._tag, "MediaRefUnknown")
      const { parts: all } = yield* parts.list(account, mediaRef)
      const [first = ""] = all.map(({ uploadUrl }) => uploadUrl)
      const short = yield* Effect.flip(send(first, piece(1).subarray(1)))
      assert.strictEqual(short._tag, "UploadMismatch")
      yield* send(first, piece(1))
      const again = yield* Effect.flip(send(first, piece(1)))
      assert.strictEqual(again._tag, "ObjectRefused")
    }).pipe(inWorld()),
  )

  it.effect("parts that are not completed go after a day", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const mediaRef = yield* begin(account)
      const { parts } = yield* (yield* UploadParts).list(account, mediaRef)
      yield* sendMissing(account, mediaRef, [1])
      yield* TestClock.adjust("25 hours")
      yield* (yield* Upkeep).once
      const key = new URL(parts[0]?.uploadUrl ?? "").pathname.slice(1)
      assert.isNull(yield* (yield* ObjectStore).head(key))
    }).pipe(inWorld()),
  )
})
