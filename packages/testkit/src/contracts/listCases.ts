import type { AccountId, JobId } from "@earmark/core/jobs"
import { type JobFilter, JobStore, type Position } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createDone, createJob, newAccount, now } from "./makers.js"

const newest: JobFilter = { order: "desc", limit: 100, after: null }

export const idsOf = (account: AccountId, filter: Partial<JobFilter> = {}) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const { items } = yield* store.list(account, { ...newest, ...filter })
    return items.map(({ id }) => id)
  })

/** Jobs, each a second younger than the one before. */
const createSome = (account: AccountId, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => Effect.zipLeft(createJob(account), advance(1)))

const pagesOf = (account: AccountId, filter: JobFilter, between: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const ids: Array<JobId> = []
    let after: Position | null = null
    do {
      const page: { readonly items: ReadonlyArray<{ readonly id: JobId }>; readonly next: Position | null } =
        yield* store.list(account, { ...filter, after })
      ids.push(...page.items.map(({ id }) => id))
      after = page.next
      yield* between
    } while (after !== null)
    return ids
  })

export const listCases: ReadonlyArray<StoreCase> = [
  promise(
    "pages of a list hold each job once, newest first, while new ones come in",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const jobs = yield* createSome(account, 7)
      const context = yield* Effect.context<Effect.Effect.Context<ReturnType<typeof createJob>>>()
      const insert = Effect.zip(createJob(account), advance(1)).pipe(
        Effect.orDie,
        Effect.asVoid,
        Effect.provide(context),
      )
      const expected = jobs.map(({ id }) => id).reverse()
      assert.deepStrictEqual(yield* pagesOf(account, { ...newest, limit: 3 }, insert), expected)
      const { next } = yield* store.list(account, { ...newest, limit: 10 })
      assert.isNull(next)
    }),
  ),
  promise(
    "pages of a list hold each job once, oldest first, also jobs of one moment",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const createdAt = yield* now
      const jobs = yield* Effect.forEach([1, 2, 3, 4, 5], () => createJob(account, { createdAt }))
      const ids = jobs.map(({ id }) => id).sort()
      const nothing = Effect.void
      assert.deepStrictEqual(yield* pagesOf(account, { ...newest, order: "asc", limit: 2 }, nothing), ids)
      assert.deepStrictEqual(yield* pagesOf(account, { ...newest, limit: 2 }, nothing), ids.reverse())
    }),
  ),
  promise(
    "jobs of an account are counted by status, and only those",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      assert.deepStrictEqual(yield* store.counts(account), { queued: 0, done: 0, failed: 0 })
      yield* createSome(account, 3)
      yield* createDone(account)
      yield* createJob(yield* newAccount())
      assert.deepStrictEqual(yield* store.counts(account), { queued: 3, done: 1, failed: 0 })
    }),
  ),
  promise(
    "lists are filtered by each filter",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const feedUrl = "https://feed.example.org/rss"
      const start = yield* now
      const done = yield* createDone(account, { title: "Straße nach Süden" })
      yield* advance(10)
      const episode = yield* createJob(account, {
        title: "Tea at 5",
        metadata: { show: "tea", part: "1", season: 2, live: true, parts: [3] },
        source: {
          shown: { kind: "episode", url: "https://media.example.org/5.mp3", feedUrl },
          mediaUrl: "https://media.example.org/5.mp3",
          link: feedUrl,
          identity: null,
        },
      })
      const last = yield* now
      const found: ReadonlyArray<readonly [Partial<JobFilter>, ReadonlyArray<JobId>]> = [
        [{}, [episode.id, done.id]],
        [{ status: "done" }, [done.id]],
        [{ status: "queued" }, [episode.id]],
        [{ status: "failed" }, []],
        [{ phase: "waiting" }, [episode.id]],
        [{ phase: "decoding" }, []],
        [{ language: "en" }, [done.id]],
        [{ feed: feedUrl }, [episode.id]],
        [{ feed: "https://feed.example.org/" }, []],
        [{ createdAfter: start }, [episode.id]],
        [{ createdBefore: last }, [done.id]],
        [{ createdAfter: start - 1, createdBefore: last + 1 }, [episode.id, done.id]],
        [{ q: "tea AT" }, [episode.id]],
        [{ q: "süden" }, [done.id]],
        [{ q: "%" }, []],
        [{ q: "_" }, []],
        [{ metadata: { show: "tea" } }, [episode.id]],
        [{ metadata: { show: "tea", part: "2" } }, []],
        [{ metadata: { toString: "tea" } }, []],
        [{ metadata: { season: "2", live: "true" } }, [episode.id]],
        [{ metadata: { season: "2.0" } }, []],
        [{ metadata: { season: "02" } }, []],
        [{ metadata: { live: "false" } }, []],
        [{ metadata: { parts: "3" } }, []],
        [{ status: "queued", q: "tea", metadata: { part: "1" } }, [episode.id]],
      ]
      for (const [filter, expected] of found) {
        assert.deepStrictEqual(yield* idsOf(account, filter), expected, JSON.stringify(filter))
      }
    }),
  ),
]
