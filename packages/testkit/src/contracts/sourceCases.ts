import { wantedWords } from "@earmark/core/text"
import { JobQueue, type JobSource, JobStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createJob, finishedWith, newAccount } from "./makers.js"
import { getJob, takeOne } from "./working.js"

const feedUrl = "https://feed.example.org/rss"

/** A feed that did not answer when the job was made. */
const unresolved: JobSource = {
  shown: { kind: "media", url: feedUrl },
  mediaUrl: null,
  link: feedUrl,
  identity: null,
  facts: {
    asked: { type: "link", link: feedUrl, episode: null },
    isPublic: false,
    language: null,
    captions: [],
  },
}

/** The episode that was its latest one when the worker asked again. */
const resolved: JobSource = {
  shown: {
    kind: "episode",
    url: "https://media.example.org/7.mp3",
    feedUrl,
    episodeGuid: "seven",
    publishedAt: DateTime.unsafeMake(1_700_000_000_000),
  },
  mediaUrl: "https://media.example.org/7.mp3",
  link: feedUrl,
  identity: "https://media.example.org/7.mp3",
  facts: { asked: null, isPublic: true, language: "en", captions: [] },
}

export const found = { source: resolved, title: "Seven", durationSeconds: 420 }

export const sourceCases: ReadonlyArray<StoreCase> = [
  promise(
    "what a source turned out to be is kept for every later attempt and run, and readers see it",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const store = yield* JobStore
      const account = yield* newAccount()
      const { id } = yield* createJob(account, { source: unresolved })
      const first = yield* takeOne(account, { leaseSeconds: 10 })
      const before = yield* getJob(account, id)
      const described = yield* queue.describe(first.lease, found)
      assert.deepInclude(described, { id, title: "Seven", durationSeconds: 420, state: before.state })
      assert.deepStrictEqual(described.source, resolved)
      assert.deepStrictEqual(yield* getJob(account, id), described)
      assert.isAbove(described.version, before.version)
      yield* advance(10)
      yield* queue.reapExpired(500)
      const second = yield* takeOne(account)
      assert.deepStrictEqual(second.job.source, resolved)
      yield* queue.fail(second.lease, { code: "engine_error", retryInSeconds: null })
      yield* store.retry(account, id, 1)
      const third = yield* takeOne(account)
      assert.deepStrictEqual(third.job.source, resolved)
      yield* queue.complete(third.lease, finishedWith({ text: "seven of nine" }), {
        cacheKeys: [],
        shared: false,
      })
      const page = { order: "desc", limit: 10, after: null } as const
      const { items } = yield* store.list(account, { ...page, feed: feedUrl })
      assert.deepStrictEqual(
        items.map((job) => job.id),
        [id],
      )
      const hits = yield* store.search(account, {
        words: wantedWords("seven", { near: false }),
        feed: feedUrl,
        limit: 10,
      })
      assert.deepStrictEqual(
        hits.map((hit) => hit.id),
        [id],
      )
    }),
  ),
  promise(
    "a title that somebody gave, and a length that is known, stay when the source is found out",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      yield* createJob(account, { source: unresolved, title: "Mine", durationSeconds: 400 })
      const { lease } = yield* takeOne(account)
      const described = yield* queue.describe(lease, found)
      assert.deepInclude(described, { title: "Mine", durationSeconds: 400 })
    }),
  ),
]
