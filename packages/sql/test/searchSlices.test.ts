import { AccountId } from "@earmark/core/jobs"
import { wantedWords } from "@earmark/core/text"
import { Accounts, EditStore, type Finished, JobStore } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Stream } from "effect"
import { Client } from "pg"
import { restoreBackup } from "../src/backup/restoreBackup.js"
import { writeBackup } from "../src/backup/writeBackup.js"
import * as Postgres from "../src/postgres/Postgres.js"
import { layerStores } from "../src/SqlStore.js"
import { newUrl, outside, postgresMissing } from "./backends.js"
import { newId, newJob } from "./newJob.js"

const finishedWith = (text: string): Finished => ({
  content: {
    language: "en",
    text,
    segments: [{ start: 0, end: 900, speaker: null, text, words: [] }],
    summary: null,
    chapters: null,
    translation: null,
  },
  origin: "captions",
  engine: null,
  wordTiming: null,
  detectedLanguage: null,
  durationSeconds: 1,
  wordCount: 3,
  credits: 0,
  billedMinutes: 0,
  minutes: 0,
  enrichment: {},
  integrity: null,
  warnings: [],
})

const storesIn = (url: string) =>
  Layer.build(
    layerStores.pipe(Layer.provideMerge(Postgres.layer({ url: Redacted.make(url), migrate: "run" }))),
  )

const LIMIT = 5

/** What was found are the newest, so many as were asked for at least. */
const assertNewest = (found: ReadonlyArray<string>, ids: ReadonlyArray<string>) => {
  assert.isAtLeast(found.length, LIMIT)
  assert.deepStrictEqual(found, ids.slice(-found.length).toReversed())
}

/** The newest transcripts of an account that may hold what is asked for. */
const foundBy = (account: AccountId) => (query: string) =>
  Effect.flatMap(JobStore, (jobs) =>
    jobs.search(account, { words: wantedWords(query, { near: false }), limit: LIMIT }),
  ).pipe(Effect.map((all) => all.map(({ id }) => id)))

/** Transcripts of one account that say `tea mintN`, with a sweep after each so many. */
const storeOf = Effect.fnUntraced(function* (count: number, sweepEach: number) {
  const url = yield* newUrl
  const stores = yield* storesIn(url)
  return yield* Effect.gen(function* () {
    const [accounts, jobs, edits] = [yield* Accounts, yield* JobStore, yield* EditStore]
    const account = AccountId.make(newId("account"))
    yield* accounts.create({ id: account, name: "Ann", email: null, freeCredits: 0, createdAt: 0 })
    const ids = yield* Effect.forEach(Array.from({ length: count }), (_, at) =>
      Effect.gen(function* () {
        const job = newJob(account, 0, at * 1000)
        yield* jobs.createDone(job, finishedWith(`tea mint${at}`), { guard: null })
        if (at % sweepEach === sweepEach - 1) yield* jobs.sweep(10)
        return job.id
      }),
    )
    const found = (query: string) => Effect.provideService(foundBy(account)(query), JobStore, jobs)
    const rows = (text: string) => outside(url, text)
    return { url, account, edits, jobs, ids, found, rows }
  }).pipe(Effect.provide(stores))
})

const connected = <A, E>(url: string, use: (client: Client) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
    use,
    (client) => Effect.promise(() => client.end()),
  )

const SLICES = `SELECT count(*) FILTER (WHERE is_small)::integer AS small,
  count(*) FILTER (WHERE NOT is_small)::integer AS large FROM search_slice`
const WAITING = "SELECT count(*)::integer AS waiting FROM search_member WHERE slice_id IS NULL"
const wordsLike = (word: string) => `SELECT word FROM search_place WHERE word = '${word}'`

describe.skipIf(postgresMissing !== null)(`slices on Postgres ${postgresMissing ?? ""}`, () => {
  it.live("transcripts go into small slices as they come, and many small ones become a large one", () =>
    Effect.gen(function* () {
      const { jobs, ids, found, rows } = yield* storeOf(84, 3)
      yield* jobs.sweep(10)
      assert.deepStrictEqual(yield* rows(SLICES), [{ small: 2, large: 1 }])
      assert.deepStrictEqual(yield* rows(WAITING), [{ waiting: 4 }])
      for (const at of [0, 40, 83]) assert.deepStrictEqual(yield* found(`tea mint${at} `), [ids[at]], `${at}`)
      assertNewest(yield* found("tea mint"), ids)
    }).pipe(Effect.scoped),
  )

  it.live("none is passed over between those that are in no slice yet and those that are", () =>
    Effect.gen(function* () {
      const { ids, found, rows } = yield* storeOf(84, 70)
      assert.deepStrictEqual(yield* rows(WAITING), [{ waiting: 20 }])
      assertNewest(yield* found("tea mint"), ids)
    }).pipe(Effect.scoped),
  )

  it.live("of a word that is in very many lines, slices know in which", () =>
    Effect.gen(function* () {
      const { account, edits, jobs, ids, found, rows } = yield* storeOf(70, 70)
      const [job = assert.fail("no transcript")] = ids.slice(50)
      // Each line but these says "the": more than Postgres keeps places of one lexeme, in three parts.
      const without = [3, 300, 599]
      const lines = Array.from({ length: 600 }, (_, at) =>
        without.includes(at) ? `day${at}` : `the day${at}`,
      )
      yield* edits.append(
        {
          account,
          job,
          base: 0,
          change: { operations: [] },
          madeBy: null,
          lines: lines.flatMap((text) => finishedWith(text).content.segments),
        },
        { guard: null },
      )
      const isFound = (at: number) => Effect.map(found(`the day${at} `), (all) => all.includes(job))
      const [yes, no] = [[0, 254, 255, 256, 299, 301, 511, 598], without]
      for (const at of [...yes, ...no]) assert.isTrue(yield* isFound(at), `${at} before`)
      yield* Effect.repeatN(jobs.sweep(10), 3)
      assert.deepStrictEqual(yield* rows(WAITING), [{ waiting: 6 }])
      for (const at of yes) assert.isTrue(yield* isFound(at), `${at}`)
      for (const at of no) assert.isFalse(yield* isFound(at), `${at}`)
    }).pipe(Effect.scoped),
  )

  it.live("an umlaut is found by two letters also where it was indexed by one", () =>
    Effect.gen(function* () {
      const { account, edits, jobs, ids, found, rows } = yield* storeOf(70, 70)
      const [older = assert.fail("no transcript"), newer = assert.fail("no transcript")] = ids.slice(60)
      const correct = (job: typeof older) =>
        edits.append(
          {
            account,
            job,
            base: 0,
            change: { operations: [] },
            madeBy: null,
            lines: finishedWith("tea mint in Köln").content.segments,
          },
          { guard: null },
        )
      yield* correct(older)
      yield* rows(`UPDATE transcript_search
        SET words = ts_delete(words, ARRAY[right(account_id, 16) || ':=', right(account_id, 16) || ':koeln'])`)
      yield* correct(newer)
      const check = Effect.gen(function* () {
        for (const query of ["koeln ", "tea koeln ", "koeln mint", "tea Köl"])
          assert.deepStrictEqual(yield* found(query), [newer, older], query)
      })
      yield* check
      yield* Effect.repeatN(jobs.sweep(10), 3)
      assert.deepStrictEqual(yield* rows("SELECT DISTINCT has_both_folds FROM search_slice"), [
        { has_both_folds: false },
      ])
      yield* check
    }).pipe(Effect.scoped),
  )

  it.live("nothing that a removed transcript said is left, and the others of its slice are still found", () =>
    Effect.gen(function* () {
      const { account, jobs, ids, found, rows } = yield* storeOf(70, 70)
      assert.deepStrictEqual(yield* rows(SLICES), [{ small: 0, large: 1 }])
      const [gone, other] = [ids[69], ids[68]]
      if (gone === undefined || other === undefined) return assert.fail("no transcripts")
      assert.lengthOf(yield* rows(wordsLike("mint69")), 1)
      yield* jobs.remove(account, gone)
      assert.deepStrictEqual(yield* rows(wordsLike("mint69")), [])
      assert.deepStrictEqual(yield* found("tea mint69 "), [])
      assert.deepStrictEqual(yield* found("tea mint68 "), [other])
      yield* jobs.sweep(10)
      assert.deepStrictEqual(yield* rows(SLICES), [{ small: 0, large: 1 }])
      assert.deepStrictEqual(yield* found("tea mint69 "), [])
      assert.deepStrictEqual(yield* found("tea mint68 "), [other])
    }).pipe(Effect.scoped),
  )

  it.live("nothing is left of what a line said before it was corrected", () =>
    Effect.gen(function* () {
      const { account, edits, jobs, ids, found, rows } = yield* storeOf(70, 70)
      const [, job] = ids
      if (job === undefined) return assert.fail("no transcript")
      for (const text of ["tea mint1 basil", "tea thyme"]) {
        yield* edits.append(
          {
            account,
            job,
            base: text === "tea thyme" ? 1 : 0,
            change: { operations: [{ type: "text", line: 0, text }] },
            madeBy: null,
            lines: finishedWith(text).content.segments,
          },
          { guard: null },
        )
        yield* jobs.sweep(10)
        yield* jobs.sweep(10)
      }
      assert.deepStrictEqual(yield* rows(wordsLike("mint1")), [])
      assert.deepStrictEqual(yield* rows(wordsLike("basil")), [])
      assert.deepStrictEqual(yield* found("tea thyme "), [job])
      assert.deepStrictEqual(yield* found("tea mint2 "), [ids[2]])
    }).pipe(Effect.scoped),
  )

  it.live("what is removed while slices are filled is in none, and all else is found", () =>
    Effect.gen(function* () {
      const { account, jobs, ids, found, rows } = yield* storeOf(150, 40)
      const removed = ids.filter((_, at) => at % 6 === 5)
      yield* Effect.all(
        [
          ...Array.from({ length: 8 }, () => jobs.sweep(10)),
          ...removed.map((id) => jobs.remove(account, id)),
        ],
        { concurrency: "unbounded", discard: true },
      )
      yield* Effect.repeatN(jobs.sweep(10), 5)
      for (const [at, id] of ids.entries()) {
        const isGone = removed.includes(id)
        assert.deepStrictEqual(yield* found(`tea mint${at} `), isGone ? [] : [id], `${at}`)
        if (isGone) assert.deepStrictEqual(yield* rows(wordsLike(`mint${at}`)), [], `${at}`)
      }
    }).pipe(Effect.scoped),
  )

  it.live("all is found in a store from before there were slices, and made slices of", () =>
    Effect.gen(function* () {
      const { url, account, ids, rows } = yield* storeOf(70, 70)
      yield* rows("DROP TABLE search_place, search_member, search_slice CASCADE")
      yield* rows("DELETE FROM earmark_migration WHERE number IN (26, 28)")
      yield* Effect.gen(function* () {
        const jobs = yield* JobStore
        assert.deepStrictEqual(yield* foundBy(account)("tea mint3 "), ids.slice(3, 4))
        yield* jobs.sweep(10)
        assert.deepStrictEqual(yield* rows(SLICES), [{ small: 0, large: 1 }])
        assert.deepStrictEqual(yield* foundBy(account)("tea mint3 "), ids.slice(3, 4))
      }).pipe(Effect.provide(yield* storesIn(url)))
    }).pipe(Effect.scoped),
  )

  it.live("all is found in a store that was restored", () =>
    Effect.gen(function* () {
      const { url, account, ids } = yield* storeOf(70, 70)
      const lines: Array<string> = []
      yield* connected(url, (client) =>
        writeBackup(client, (line) => Effect.sync(() => void lines.push(line))),
      )
      const restored = yield* newUrl
      yield* connected(restored, (client) => restoreBackup(client, Stream.fromIterable(lines)))
      const stores = yield* storesIn(restored)
      assert.deepStrictEqual(yield* Effect.provide(foundBy(account)("tea mint3 "), stores), ids.slice(3, 4))
    }).pipe(Effect.scoped),
  )
})
