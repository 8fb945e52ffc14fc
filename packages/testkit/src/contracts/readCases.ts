import { type ChangedJobs, JobQueue, JobStore, type Usage } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { search } from "./findCases.js"
import { idsOf } from "./listCases.js"
import {
  addEndpoint,
  advance,
  createDone,
  createJob,
  finishedWith,
  newAccount,
  newBatch,
  now,
  unique,
} from "./makers.js"
import { eventsTo, getJob, refusal, takeOne } from "./working.js"

export const readCases: ReadonlyArray<StoreCase> = [
  promise(
    "standings tell of every job that there is: its version, its spans, whether it ended",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const [ann, bob] = [yield* newAccount(), yield* newAccount()]
      const done = yield* createDone(bob)
      const job = yield* createJob(ann)
      const gone = yield* createJob(ann)
      yield* store.remove(ann, gone.id)
      const { lease } = yield* takeOne(ann)
      yield* queue.report(lease, { phase: "transcribing", progress: 0.5 })
      yield* queue.resume(lease, "plan")
      for (const index of [1, 0]) yield* queue.saveSpan(lease, { index, start: 0, end: 9, words: [] })
      const standings = yield* store.standings([gone.id, job.id, done.id])
      const versions = new Map([
        [job.id, (yield* getJob(ann, job.id)).version],
        [done.id, (yield* getJob(bob, done.id)).version],
      ])
      assert.deepStrictEqual(
        standings.map((each) => ({ ...each })).sort((left, right) => left.spans - right.spans),
        [
          { id: done.id, version: versions.get(done.id) ?? 0, isEnded: true, spans: 0 },
          { id: job.id, version: versions.get(job.id) ?? 0, isEnded: false, spans: 2 },
        ],
      )
      assert.deepStrictEqual(yield* store.standings([]), [])
    }),
  ),
  promise(
    "jobs that may have changed are those that run, were created or ended since a moment, or are named",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const [ann, bob] = [yield* newAccount(60), yield* newAccount(60)]
      const ended = yield* createDone(ann)
      yield* advance(1)
      const running = yield* createJob(ann)
      const { lease } = yield* takeOne(ann)
      yield* queue.report(lease, { phase: "transcribing", progress: 0.5 })
      const waiting = yield* createJob(ann)
      yield* createJob(bob)
      const changedIds = (which: Partial<ChangedJobs>) =>
        Effect.map(
          store.changed(ann, { since: null, queued: false, named: [], limit: 10, ...which }),
          ({ jobs }) => jobs.map(({ id }) => id),
        )
      yield* advance(1)
      const { now: later, jobs } = yield* store.changed(ann, {
        since: null,
        queued: false,
        named: [],
        limit: 10,
      })
      const { version } = yield* getJob(ann, running.id)
      const step = {
        id: running.id,
        status: "queued",
        phase: "transcribing",
        progress: 0.5,
        version,
      } as const
      assert.deepStrictEqual(
        jobs.map((each) => ({ ...each })),
        [step],
      )
      assert.strictEqual(later, yield* now)
      assert.deepStrictEqual(yield* changedIds({ queued: true }), [running.id, waiting.id])
      assert.deepStrictEqual(yield* changedIds({ since: later }), [running.id])
      assert.sameMembers(
        [...(yield* changedIds({ since: later - 2000 }))],
        [running.id, waiting.id, ended.id],
      )
      assert.sameMembers([...(yield* changedIds({ named: [ended.id] }))], [running.id, ended.id])
      assert.deepStrictEqual(yield* changedIds({ since: 0, queued: true, limit: 1 }), [running.id])
      yield* queue.complete(lease, finishedWith(), { cacheKeys: [], shared: false })
      assert.deepStrictEqual(yield* changedIds({}), [])
      assert.deepStrictEqual(yield* changedIds({ since: later }), [running.id])
    }),
  ),
  promise(
    "what belongs to another account does not exist",
    Effect.gen(function* () {
      const store = yield* JobStore
      const [owner, stranger] = [yield* newAccount(), yield* newAccount()]
      const word = yield* unique
      const job = yield* createDone(owner, {}, finishedWith({ text: word }))
      const queued = yield* createJob(owner)
      const batch = yield* newBatch(owner, [1])
      yield* store.createBatch(batch)
      const before = [yield* getJob(owner, job.id), yield* getJob(owner, queued.id)]
      for (const id of [job.id, queued.id]) {
        const attempts = [
          store.get(stranger, id),
          store.content(stranger, id),
          store.patch(stranger, id, { title: "mine" }),
          store.cancel(stranger, id),
          store.retry(stranger, id, 1),
          store.remove(stranger, id),
        ]
        for (const attempt of attempts) assert.strictEqual(yield* refusal(attempt), "JobNotFound")
      }
      assert.isNull(yield* store.batch(stranger, batch.id))
      assert.isNull(yield* store.cancelBatch(stranger, batch.id))
      assert.deepStrictEqual(yield* idsOf(stranger), [])
      assert.deepStrictEqual(yield* idsOf(stranger, { batch: batch.id }), [])
      assert.deepStrictEqual(yield* search(stranger, word), [])
      const range = { from: 0, to: (yield* now) + 1000, groupBy: "day" } as const
      assert.deepStrictEqual(yield* store.usage(stranger, range), [])
      assert.deepStrictEqual([yield* getJob(owner, job.id), yield* getJob(owner, queued.id)], before)
      assert.strictEqual((yield* store.batch(owner, batch.id))?.queued, 1)
    }),
  ),
  promise(
    "a source comes back with everything a worker needs, in a batch as alone",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const source = {
        shown: { kind: "episode", url: "https://media.example.org/6.mp3", episodeGuid: "six" },
        mediaUrl: null,
        link: "https://feed.example.org/rss",
        identity: "media.example.org/6.mp3",
        facts: {
          asked: { type: "link", link: "https://feed.example.org/rss", episode: { guid: "six" } },
          isPublic: true,
          language: "de",
          captions: [{ url: "https://media.example.org/6.vtt", language: "de", madeBy: "people" }],
        },
      } as const
      const alone = yield* createJob(account, { source })
      const batch = yield* newBatch(account, [1])
      const inBatch = batch.jobs.map((job) => ({ ...job, source }))
      yield* Effect.flatMap(JobStore, (store) => store.createBatch({ ...batch, jobs: inBatch }))
      for (const { id } of [alone, ...inBatch]) {
        assert.deepStrictEqual((yield* getJob(account, id)).source, source)
      }
    }),
  ),
  promise(
    "title, metadata and names of speakers change, also after the end, and nothing else does",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const job = yield* createDone(account, { title: "old", metadata: { a: "1" } })
      const before = yield* getJob(account, job.id)
      const named = yield* store.patch(account, job.id, {
        title: "new",
        metadata: { b: ["2", { c: null }] },
        speakers: { "Speaker 1": "Ann", "Speaker 2": "Bob" },
      })
      assert.deepStrictEqual(named, {
        ...before,
        title: "new",
        metadata: { b: ["2", { c: null }] },
        speakerNames: { "Speaker 1": "Ann", "Speaker 2": "Bob" },
        version: named.version,
      })
      assert.isAbove(named.version, before.version)
      assert.deepStrictEqual(yield* getJob(account, job.id), named)
      const less = yield* store.patch(account, job.id, { title: null, speakers: { "Speaker 1": null } })
      assert.deepInclude(less, { title: null, metadata: { b: ["2", { c: null }] } })
      assert.deepStrictEqual(less.speakerNames, { "Speaker 2": "Bob" })
      const bare = yield* store.patch(account, job.id, { metadata: null, speakers: null })
      assert.deepInclude(bare, { metadata: null, speakerNames: {} })
      assert.isNotNull(yield* store.content(account, job.id))
    }),
  ),
  promise(
    "a queued job has no content",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const job = yield* createJob(account)
      assert.isNull(yield* store.content(account, job.id))
    }),
  ),
  promise(
    "usage counts done jobs, their minutes and credits by day, month and key, and removing one takes nothing away",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const from = yield* now
      const kept = yield* createDone(
        account,
        { key: "key_a" },
        finishedWith({ minutes: 3, billedMinutes: 0, credits: 0 }),
      )
      yield* createDone(account, { key: null }, finishedWith({ minutes: 2, billedMinutes: 6, credits: 0 }))
      yield* createJob(account)
      yield* advance(40 * 86_400)
      const later = yield* now
      yield* createDone(account, { key: "key_a" }, finishedWith({ minutes: 4, billedMinutes: 4, credits: 0 }))
      yield* store.remove(account, kept.id)
      const usage = (groupBy: "day" | "month" | "key", to = later + 1) =>
        store.usage(account, { from, to, groupBy })
      const totals = (groups: ReadonlyArray<Usage>) =>
        groups.map(({ transcriptions, minutes, credits }) => [transcriptions, minutes, credits])
      assert.deepStrictEqual(totals(yield* usage("day")), [
        [2, 5, 6],
        [1, 4, 4],
      ])
      for (const { group } of yield* usage("day")) assert.match(group, /^\d{4}-\d\d-\d\d$/)
      for (const { group } of yield* usage("month")) assert.match(group, /^\d{4}-\d\d$/)
      assert.deepStrictEqual(yield* usage("key"), [
        { group: "key_a", transcriptions: 2, minutes: 7, credits: 4 },
        { group: "none", transcriptions: 1, minutes: 2, credits: 6 },
      ])
      assert.deepStrictEqual(totals(yield* usage("month", later)), [[2, 5, 6]])
    }),
  ),
  promise(
    "a result is found again by its own account, by others only where it is public, and not once it is gone",
    Effect.gen(function* () {
      const store = yield* JobStore
      const [owner, other] = [yield* newAccount(), yield* newAccount()]
      const [privateKey, publicKey] = [yield* unique, yield* unique]
      const complete = (cacheKey: string, shared: boolean, text: string, expiresAt: number | null = null) =>
        Effect.gen(function* () {
          const queue = yield* JobQueue
          const job = yield* createJob(owner, { title: text, expiresAt })
          const { lease } = yield* takeOne(owner)
          yield* queue.complete(lease, finishedWith({ text }), { cacheKeys: [cacheKey], shared })
          return job
        })
      yield* complete(privateKey, false, "private talk")
      const shared = yield* complete(publicKey, true, "public talk")
      const found = yield* store.cached(owner, privateKey)
      assert.isTrue(yield* store.isCached(owner, privateKey))
      assert.isFalse(yield* store.isCached(other, privateKey))
      assert.isTrue(yield* store.isCached(other, publicKey))
      assert.deepInclude(found, { origin: "cache", credits: 0, billedMinutes: 0, title: "private talk" })
      assert.strictEqual(found?.content.text, "private talk")
      assert.deepInclude(found, { durationSeconds: 59, wordCount: 3 })
      assert.isNull(yield* store.cached(other, privateKey))
      // The title is the account's own: somebody may have given it.
      const foreign = yield* store.cached(other, publicKey)
      assert.deepStrictEqual([foreign?.content.text, foreign?.title], ["public talk", null])
      assert.isNull(yield* store.cached(other, yield* unique))
      yield* store.remove(owner, shared.id)
      assert.isNull(yield* store.cached(other, publicKey))
      assert.isFalse(yield* store.isCached(other, publicKey))
      // Nobody swept it yet.
      const shortKey = yield* unique
      yield* complete(shortKey, true, "short talk", (yield* now) + 10_000)
      assert.isNotNull(yield* store.cached(other, shortKey))
      yield* advance(10)
      assert.isNull(yield* store.cached(other, shortKey))
      assert.isFalse(yield* store.isCached(other, shortKey))
    }),
  ),
  promise(
    "events go to the endpoints of the account that want them, and to no others",
    Effect.gen(function* () {
      const [account, stranger] = [yield* newAccount(), yield* newAccount()]
      const wanting = yield* addEndpoint(account, { events: ["transcription.completed"] })
      const disabled = yield* addEndpoint(account, { enabled: false, disabledReason: "manual" })
      const foreign = yield* addEndpoint(stranger)
      const job = yield* createDone(account)
      assert.deepStrictEqual(yield* eventsTo(account, wanting.id), [`${job.id}.done`])
      assert.deepStrictEqual(yield* eventsTo(account, disabled.id), [])
      assert.deepStrictEqual(yield* eventsTo(stranger, foreign.id), [])
    }),
  ),
]
