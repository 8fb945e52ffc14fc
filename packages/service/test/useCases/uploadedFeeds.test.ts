import { decodeQuote } from "@earmark/core/wire"
import { ObjectStore, Podcasts, Quotes, Transcriptions, Uploads } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Stream } from "effect"
import {
  create,
  feedBody,
  get,
  inWorld,
  newAccount,
  pass,
  refusal,
  settle,
  transcribeFeed,
  withUpkeep,
  withWorker,
} from "../world.js"

/** In the scripted world the document of a feed is its address. */
const document = new TextEncoder().encode("https://a.example/show?episodes=3&seconds=60")

const upload = (account: Parameters<typeof create>[0], contentType = "application/rss+xml") =>
  Effect.gen(function* () {
    const request = { filename: "feed.xml", contentType, bytes: document.length }
    return (yield* (yield* Uploads).bring(account, request, Stream.make(document))).mediaRef
  })

const query = (feed: string, limit = 2) => ({ feed, limit, cursor: undefined })

describe("a feed that was uploaded", () => {
  it.effect("is a list of episodes, a batch and a price, by its media_ref", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true, credits: 10 })
      const feed = yield* upload(account)
      const podcasts = yield* Podcasts
      const list = yield* podcasts.episodes(account, query(feed))
      assert.deepInclude(list, { total: 3, returned: 2 })
      assert.deepStrictEqual(
        list.data.map(({ guid }) => guid),
        ["episode-3", "episode-2"],
      )
      const quote = yield* (yield* Quotes).quote(
        account,
        Either.getOrThrow(decodeQuote({ feed, episodes: "all" })),
      )
      assert.deepInclude(quote, { episodes: 3, credits: 3 })
      const answer = yield* transcribeFeed(account, { feed, episodes: "all" })
      assert.strictEqual(answer.total, 3)
      yield* withWorker(settle)
      const job = yield* get(account, answer.transcriptions[0]?.id ?? "")
      assert.strictEqual(job.status, "done")
      assert.deepInclude(job.source, { kind: "episode", episodeGuid: "episode-3" })
    }).pipe(inWorld()),
  )

  it.effect("is listed in the order of its feed", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true, credits: 20 })
      const feed = "https://a.example/show?episodes=12&seconds=60"
      const { transcriptions } = yield* transcribeFeed(account, { feed, episodes: "all" })
      const listed = yield* (yield* Transcriptions).list(account, { limit: 20, order: "desc" })
      assert.deepStrictEqual(
        listed.data.map(({ id }) => id),
        transcriptions.map(({ id }) => id),
      )
    }).pipe(inWorld()),
  )

  it.effect("of more episodes than a batch has is refused as a whole, and no job is made", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true, credits: 10_000 })
      const feed = "https://a.example/show?episodes=5001&seconds=60"
      const refused = yield* Effect.flip(transcribeFeed(account, { feed, episodes: "all" }))
      assert.deepInclude(refused, { code: "batch_too_large", detail: "A batch has at most 5000 episodes" })
      const transcriptions = yield* Transcriptions
      const { data } = yield* transcriptions.list(account, { limit: 1, cursor: undefined, order: "desc" })
      assert.deepStrictEqual(data, [])
      const most = yield* transcribeFeed(account, { feed, episodes: 5000 })
      assert.strictEqual(most.total, 5000)
    }).pipe(inWorld()),
  )

  it.effect("gives a job the episode asked for, else the newest", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const feed = yield* upload(account, "text/xml")
      const sourceOf = (body: unknown) =>
        Effect.gen(function* () {
          const { id } = yield* create(account, body)
          return (yield* get(account, id)).source.episodeGuid
        })
      assert.strictEqual(yield* sourceOf({ media_ref: feed }), "episode-3")
      assert.strictEqual(yield* sourceOf({ media_ref: feed, episode_index: 2 }), "episode-1")
      assert.strictEqual(yield* sourceOf({ media_ref: feed, episode_guid: "episode-2" }), "episode-2")
      const absent = yield* Effect.flip(create(account, { media_ref: feed, episode_index: 3 }))
      assert.deepInclude(absent, { _tag: "SourceRefused", code: "episode_not_found" })
    }).pipe(inWorld()),
  )

  it.effect("goes after a day, whatever was made of it: its jobs have the address of their episode", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const feed = yield* upload(account)
      const { id } = yield* create(account, { media_ref: feed })
      assert.isNotNull(yield* (yield* ObjectStore).head(feed))
      yield* pass("25 hours")
      yield* withUpkeep(settle)
      assert.isNull(yield* (yield* ObjectStore).head(feed))
      yield* withWorker(settle)
      assert.strictEqual((yield* get(account, id)).status, "done")
    }).pipe(inWorld()),
  )

  it.effect("is nobody else's, and a recording is no feed", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const feed = yield* upload(account)
      const podcasts = yield* Podcasts
      assert.strictEqual(yield* refusal(podcasts.episodes(other, query(feed))), "MediaRefUnknown")
      const stolen = podcasts.transcribe(other, feedBody({ feed }))
      assert.strictEqual(yield* refusal(stolen), "MediaRefUnknown")
      const recording = yield* upload(account, "audio/mpeg")
      const refused = yield* Effect.flip(podcasts.episodes(account, query(recording)))
      assert.deepInclude(refused, { _tag: "SourceRefused", code: "unresolvable_link" })
      const chosen = yield* Effect.flip(create(account, { media_ref: recording, episode_index: 0 }))
      assert.deepInclude(chosen, { _tag: "SourceRefused", code: "unresolvable_link" })
    }).pipe(inWorld()),
  )
})
