import type { AccountId } from "@earmark/core/jobs"
import { decodeQuote } from "@earmark/core/wire"
import {
  type ArrivingUpload,
  ObjectStore,
  ObjectStoreMemory,
  Podcasts,
  Quotes,
  Transcriptions,
  Uploads,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, Stream } from "effect"
import {
  balance,
  create,
  get,
  inWorld,
  newAccount,
  pass,
  refusal,
  settle,
  transcribeFeed,
  withWorker,
} from "../world.js"

const request = { filename: "talk.exe", contentType: "audio/mpeg", bytes: 3 }

/** A store with addresses of its own. */
const directObjects = Layer.effect(
  ObjectStore,
  Effect.map(ObjectStore, (objects) =>
    ObjectStore.of({
      ...objects,
      presignPut: ({ key, contentType, bytes }, seconds) =>
        Effect.succeed(`https://bucket.example/${key}?${contentType}&${bytes}&${seconds}`),
    }),
  ),
).pipe(Layer.provide(ObjectStoreMemory.layer))

/** The request that a client makes of the address it was given. */
const arriving = (url: string, given: Partial<ArrivingUpload<never>> = {}): ArrivingUpload<never> => {
  const { pathname, searchParams } = new URL(url)
  return {
    mediaRef: pathname.slice(1),
    query: {
      contentType: searchParams.get("type") ?? "",
      bytes: Number(searchParams.get("bytes")),
      expiresAt: Number(searchParams.get("expires")),
      signature: searchParams.get("signature") ?? "",
    },
    contentType: "audio/mpeg",
    contentLength: 3,
    body: Stream.make(Uint8Array.of(1, 2), Uint8Array.of(3)),
    ...given,
  }
}

/** A store that gives every object the same ETag. */
const objectsWithEtag = (etag: string) =>
  Layer.effect(
    ObjectStore,
    Effect.map(ObjectStore, (objects) =>
      ObjectStore.of({ ...objects, put: (object, body) => Effect.as(objects.put(object, body), etag) }),
    ),
  ).pipe(Layer.provide(ObjectStoreMemory.layer))

/** The reference of bytes that an account has uploaded. */
const brought = (account: AccountId, bytes: ReadonlyArray<number>, filename = "talk.mp3") =>
  Effect.gen(function* () {
    const uploads = yield* Uploads
    const announced = { filename, contentType: "audio/mpeg", bytes: bytes.length }
    return (yield* uploads.bring(account, announced, Stream.make(Uint8Array.from(bytes)))).mediaRef
  })

const quoteOf = (account: AccountId, body: unknown) =>
  Effect.flatMap(Quotes, (quotes) => quotes.quote(account, Either.getOrThrow(decodeQuote(body))))

const textOf = (job: Effect.Effect.Success<ReturnType<typeof get>>) =>
  job.status === "done" ? job.text : null

describe("uploads", () => {
  it.effect("bytes that were announced arrive once, and a job can be made of them", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const uploads = yield* Uploads
      const { answer } = yield* uploads.create(account, request)
      assert.match(answer.mediaRef, new RegExp(`^uploads/${account}/[0-9a-f-]{36}\\.mp3$`))
      assert.strictEqual(answer.expiresIn, 3600)
      const early = yield* Effect.flip(create(account, { media_ref: answer.mediaRef }))
      assert.strictEqual(early._tag, "MediaRefUnknown")
      assert.match(early.message, /its bytes have not arrived. PUT them to its upload_url/)
      yield* uploads.receive(arriving(answer.uploadUrl))
      const second = uploads.receive(arriving(answer.uploadUrl))
      assert.strictEqual(yield* refusal(second), "ObjectRefused")
      const { id } = yield* create(account, { media_ref: answer.mediaRef })
      yield* withWorker(settle)
      const job = yield* get(account, id)
      assert.strictEqual(job.status, "done")
      assert.deepStrictEqual(job.source, { kind: "upload", mediaRef: answer.mediaRef })
    }).pipe(inWorld()),
  )

  it.effect(
    "bytes that reached the store by another way count, when they are those that were announced",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount()
        const uploads = yield* Uploads
        const objects = yield* ObjectStore
        const put = (key: string, contentType: string, body: Uint8Array) =>
          objects.put({ key, contentType, bytes: body.length }, Stream.make(body))
        const announce = Effect.map(uploads.create(account, request), ({ answer }) => answer.mediaRef)
        const [right, longer, other] = [yield* announce, yield* announce, yield* announce]
        yield* put(right, "audio/mpeg", Uint8Array.of(1, 2, 3))
        yield* put(longer, "audio/mpeg", Uint8Array.of(1, 2, 3, 4))
        yield* put(other, "video/mp4", Uint8Array.of(1, 2, 3))
        const { id } = yield* create(account, { media_ref: right })
        assert.strictEqual(yield* refusal(create(account, { media_ref: longer })), "MediaRefUnknown")
        assert.strictEqual(yield* refusal(create(account, { media_ref: other })), "MediaRefUnknown")
        yield* withWorker(settle)
        assert.strictEqual((yield* get(account, id)).status, "done")
      }).pipe(inWorld()),
  )

  it.effect("a store that takes bytes from clients itself says where", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const uploads = yield* Uploads
      const { answer } = yield* uploads.create(account, request)
      assert.strictEqual(answer.uploadUrl, `https://bucket.example/${answer.mediaRef}?audio/mpeg&3&3600`)
      assert.include(answer.uploadPage, "/upload/uploads/")
    }).pipe(inWorld({ objects: directObjects })),
  )

  it.effect("the same bytes are heard once for an account, under whatever reference they were brought", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const first = yield* create(account, { media_ref: yield* brought(account, [1, 2, 3]) })
      yield* withWorker(settle)
      const paid = yield* balance(account)
      assert.isBelow(paid.posted, 60)
      const again = yield* brought(account, [1, 2, 3])
      assert.deepInclude(yield* quoteOf(account, { media_ref: again }), { credits: 0, cached: true })
      const second = yield* create(account, { media_ref: again })
      assert.strictEqual(second.status, "done")
      const [heard, found] = [yield* get(account, first.id), yield* get(account, second.id)]
      assert.deepStrictEqual(found.source, { kind: "upload", mediaRef: again })
      assert.deepStrictEqual(textOf(found), textOf(heard))
      assert.deepStrictEqual(yield* balance(account), paid)
      const others = { media_ref: yield* brought(account, [3, 2, 1]) }
      assert.strictEqual((yield* create(account, others)).status, "queued")
      const stranger = { media_ref: yield* brought(other, [1, 2, 3]) }
      assert.strictEqual((yield* create(other, stranger)).status, "queued")
    }).pipe(inWorld()),
  )

  it.effect("a job of an upload is called what its file is called, unless it is given a title", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const titleOf = (filename: string, given: object = {}, bytes: ReadonlyArray<number> = [1, 2, 3]) =>
        Effect.gen(function* () {
          const media_ref = yield* brought(account, bytes, filename)
          const { id } = yield* create(account, { media_ref, ...given })
          yield* withWorker(settle)
          return (yield* get(account, id)).title
        })
      assert.strictEqual(yield* titleOf("Grüße an alle.mp3"), "Grüße an alle")
      // The same bytes under another name: nothing is heard, and the name is their own.
      assert.strictEqual(yield* titleOf("C:\\Talks\\The\u0007 second\n one.v2.MP3"), "The second one.v2")
      assert.strictEqual(yield* titleOf("../../etc/passwd"), "passwd")
      assert.strictEqual(yield* titleOf("x".repeat(255)), "x".repeat(255))
      // A recording that was heard before is called as it was then.
      assert.strictEqual(yield* titleOf(" \t.mp3"), "Grüße an alle")
      assert.isNull(yield* titleOf(" \t.mp3", {}, [3, 2, 1]))
      assert.strictEqual(yield* titleOf("talk.mp3", { title: "Given" }), "Given")
    }).pipe(inWorld()),
  )

  it.effect("bytes that the client put into the store itself are known again, too", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const uploads = yield* Uploads
      const objects = yield* ObjectStore
      const put = Effect.gen(function* () {
        const { mediaRef } = (yield* uploads.create(account, request)).answer
        yield* objects.put(
          { key: mediaRef, contentType: "audio/mpeg", bytes: 3 },
          Stream.make(Uint8Array.of(1, 2, 3)),
        )
        return { media_ref: mediaRef }
      })
      yield* create(account, yield* put)
      yield* withWorker(settle)
      assert.strictEqual((yield* create(account, yield* put)).status, "done")
    }).pipe(inWorld()),
  )

  for (const etag of ["", 'W/"1"', "5f3a9c1e-3", "0".repeat(32), `${"0".repeat(32)}-1`]) {
    it.effect(`an ETag that is no digest of the bytes makes none equal: ${etag || "none"}`, () =>
      Effect.gen(function* () {
        const account = yield* newAccount()
        const mediaRef = yield* brought(account, [1, 2, 3])
        yield* create(account, { media_ref: mediaRef })
        yield* withWorker(settle)
        const another = { media_ref: yield* brought(account, [3, 2, 1]) }
        assert.strictEqual((yield* create(account, another)).status, "queued")
        assert.strictEqual((yield* create(account, { media_ref: mediaRef })).status, "done")
      }).pipe(inWorld({ objects: objectsWithEtag(etag) })),
    )
  }

  it.effect("an upload that two jobs share survives the removal of one of them", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const uploads = yield* Uploads
      const objects = yield* ObjectStore
      const transcriptions = yield* Transcriptions
      const { answer } = yield* uploads.create(account, request)
      yield* uploads.receive(arriving(answer.uploadUrl))
      const body = { media_ref: answer.mediaRef }
      const first = yield* create(account, body)
      const second = yield* create(account, { ...body, language: "de" })
      yield* transcriptions.remove(account, first.id)
      assert.isNotNull(yield* objects.head(answer.mediaRef))
      yield* transcriptions.remove(account, second.id)
      assert.isNull(yield* objects.head(answer.mediaRef))
      assert.strictEqual(yield* refusal(create(account, body)), "MediaRefUnknown")
    }).pipe(inWorld()),
  )

  it.effect("anything else than what was signed is refused", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const uploads = yield* Uploads
      const { answer } = yield* uploads.create(account, request)
      const signed = arriving(answer.uploadUrl)
      const attempts = {
        SignedAddressInvalid: { ...signed, query: { ...signed.query, bytes: 4 }, contentLength: 4 },
        UploadMismatch: { ...signed, contentLength: undefined },
        ObjectRefused: { ...signed, body: Stream.make(Uint8Array.of(1, 2, 3, 4)) },
      }
      for (const [tag, attempt] of Object.entries(attempts)) {
        assert.strictEqual(yield* refusal(uploads.receive(attempt)), tag)
      }
      yield* pass("61 minutes")
      const late = yield* Effect.flip(uploads.receive(signed))
      assert.deepInclude(late, { _tag: "SignedAddressInvalid", reason: "expired" })
      const large = uploads.create(account, { ...request, bytes: 101 })
      assert.deepInclude(yield* Effect.flip(large), { code: "too_large" })
    }).pipe(inWorld({ config: { maxUploadBytes: 100 } })),
  )
})

describe("quotes", () => {
  it.effect("say what a job or a feed costs, make nothing and hold nothing", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const talk = "https://a.example/talk.mp3?seconds=660"
      assert.deepStrictEqual(yield* quoteOf(account, { url: talk, diarize: true }), {
        title: null,
        source: { kind: "media", url: talk },
        sourceLabel: talk,
        durationSeconds: 660,
        minutes: 11,
        credits: 33,
        rate: 3,
        cached: false,
        episodes: null,
        unknownLengths: null,
        balanceAfter: 27,
        locked: "diarize",
      })
      const unknown = yield* quoteOf(account, { url: `${talk}&unknown` })
      assert.deepInclude(unknown, { minutes: null, credits: null, balanceAfter: null })
      assert.match(unknown.unknownBecause ?? "", /^[A-Z][^.]+\.$/)
      const feed = yield* quoteOf(account, {
        feed: "https://a.example/feed?episodes=3&seconds=90",
        episodes: "all",
      })
      assert.deepInclude(feed, { minutes: 6, credits: 6, rate: 1, locked: "whole_feed" })
      const paid = yield* newAccount({ paid: true })
      assert.notProperty(yield* quoteOf(paid, { url: talk, diarize: true }), "locked")
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
      yield* create(account, { url: talk })
      yield* withWorker(settle)
      assert.deepInclude(yield* quoteOf(account, { url: talk }), { credits: 0, cached: true })
      const hidden = { url: `${talk}&unknown` }
      yield* create(account, hidden)
      yield* withWorker(settle)
      assert.deepInclude(yield* quoteOf(account, hidden), { minutes: 11, credits: 0, cached: true })
    }).pipe(inWorld()),
  )

  it.effect(
    "of a feed count nothing for episodes that are transcribed already, and neither does its batch",
    () =>
      Effect.gen(function* () {
        const [account, other] = [yield* newAccount({ paid: true }), yield* newAccount()]
        const feed = "https://a.example/feed?episodes=3&seconds=90"
        yield* transcribeFeed(account, { feed, episodes: 2 })
        yield* withWorker(settle)
        const spent = yield* balance(account)
        assert.deepInclude(yield* quoteOf(account, { feed, episodes: 2 }), {
          minutes: 4,
          credits: 0,
          cached: true,
          rate: 1,
        })
        assert.deepInclude(yield* quoteOf(account, { feed, episodes: 2, summary: true }), {
          credits: 0,
          cached: true,
        })
        assert.deepInclude(yield* quoteOf(account, { feed, episodes: "all" }), {
          minutes: 6,
          credits: 2,
          cached: false,
        })
        assert.deepInclude(yield* quoteOf(other, { feed, episodes: "all", language: "de" }), {
          credits: 6,
          cached: false,
        })
        // What the quote says is what max_credits is compared with, and what is held and charged.
        const { total } = yield* transcribeFeed(account, { feed, episodes: "all", max_credits: 2 })
        assert.strictEqual(total, 3)
        assert.deepStrictEqual(yield* balance(account), { ...spent, held: 2 })
        yield* withWorker(settle)
        assert.deepStrictEqual(yield* balance(account), { posted: spent.posted - 2, held: 0 })
      }).pipe(inWorld()),
  )

  it.effect(
    "of a private feed count nothing for an episode that was transcribed alone, and the other way round",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount({ paid: true })
        const feed = "https://a.example/feed?episodes=3&seconds=90&private"
        const { episodes } = yield* Podcasts
        const [, second, third] = (yield* episodes(account, { feed, limit: 3 })).data
        yield* create(account, { url: feed, episode_guid: second?.guid })
        yield* withWorker(settle)
        assert.deepInclude(yield* quoteOf(account, { feed, episodes: "all" }), { credits: 4, cached: false })
        yield* transcribeFeed(account, { feed, episodes: "all" })
        yield* withWorker(settle)
        const alone = { url: feed, episode_guid: third?.guid }
        assert.deepInclude(yield* quoteOf(account, alone), { credits: 0, cached: true })
      }).pipe(inWorld()),
  )
})
