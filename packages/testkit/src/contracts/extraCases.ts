import type { AccountId, JobId } from "@earmark/core/jobs"
import {
  type ClaimedExtra,
  type ExtraName,
  type ExtraOutcome,
  ExtraStore,
  JobQueue,
  JobStore,
  type MadeExtra,
} from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createDone, createJob, finishedWith, newAccount, unique } from "./makers.js"
import { getJob, racing, refusal, takeOne } from "./working.js"

const SUMMARY: ExtraName = { kind: "summary", language: null }
const CHAPTERS: ExtraName = { kind: "chapters", language: null }
const to = (language: string): ExtraName => ({ kind: "translation", language })

const ask = (account: AccountId, job: JobId, ...names: ReadonlyArray<ExtraName>) =>
  Effect.flatMap(ExtraStore, (store) => store.ask(account, job, names))

/** Claims for accounts of this case; what other cases left behind is ended. */
const takeUp = (accounts: ReadonlyArray<AccountId>, want = 1000, leaseSeconds = 60) =>
  Effect.gen(function* () {
    const store = yield* ExtraStore
    const mine: Array<ClaimedExtra> = []
    for (;;) {
      const claimed = yield* store.claim({ want: want - mine.length, leaseSeconds })
      const others = claimed.filter(({ job }) => !accounts.includes(job.account))
      mine.push(...claimed.filter(({ job }) => accounts.includes(job.account)))
      for (const { lease } of others)
        yield* store.finish(lease, { status: "failed", error: "of another case", revision: 0 })
      if (others.length === 0) return mine
    }
  })

const takeOnly = (account: AccountId, leaseSeconds = 60) =>
  Effect.gen(function* () {
    const [claimed, ...more] = yield* takeUp([account], 1000, leaseSeconds)
    if (claimed === undefined || more.length > 0)
      return yield* Effect.dieMessage(`${claimed === undefined ? "no extra" : "several extras"} to take up`)
    return claimed
  })

const done = (made: MadeExtra, isIncomplete = false): ExtraOutcome => ({ status: "done", made, isIncomplete })

const summary = (value: string, revision = 0): MadeExtra => ({
  kind: "summary",
  language: null,
  value,
  revision,
})

const finish = ({ lease }: ClaimedExtra, outcome: ExtraOutcome) =>
  Effect.flatMap(ExtraStore, (store) => store.finish(lease, outcome))

const madeOf = (account: AccountId, job: JobId) =>
  Effect.flatMap(ExtraStore, (store) => store.made(account, job))

export const extraCases: ReadonlyArray<StoreCase> = [
  promise(
    "what is asked for is pending until it is made, and then read back, each language by itself",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      const before = yield* getJob(account, id)
      const asked = yield* ask(account, id, SUMMARY, CHAPTERS, to("de"), to("pt-BR"))
      const pending = { status: "pending", revision: 0 } as const
      const all = { summary: pending, chapters: pending, translations: { de: pending, "pt-BR": pending } }
      assert.deepStrictEqual(asked.enrichment, all)
      assert.isAbove(asked.version, before.version)
      assert.deepStrictEqual(yield* getJob(account, id), asked)
      assert.deepStrictEqual(yield* madeOf(account, id), [])
      const claimed = yield* takeUp([account])
      assert.strictEqual(claimed.length, 4)
      const values: ReadonlyArray<MadeExtra> = [
        summary("In short."),
        { kind: "chapters", language: null, value: [{ start: 0, end: 900, title: "One" }], revision: 0 },
        { kind: "translation", language: "de", value: ["so ist es"], revision: 0 },
        { kind: "translation", language: "pt-BR", value: ["assim é"], revision: 0 },
      ]
      for (const made of values) {
        const one = claimed.find(
          ({ lease: { name } }) => name.kind === made.kind && name.language === made.language,
        )
        if (one === undefined) return yield* Effect.dieMessage(`no ${made.kind} to make`)
        assert.deepStrictEqual([one.job.id, one.attempt], [id, 1])
        assert.isTrue(yield* finish(one, done(made)))
      }
      assert.sameDeepMembers([...(yield* madeOf(account, id))], [...values])
      const ready = { status: "done", revision: 0 } as const
      const after = yield* getJob(account, id)
      assert.deepStrictEqual(after.enrichment, {
        summary: ready,
        chapters: ready,
        translations: { de: ready, "pt-BR": ready },
      })
      assert.isAbove(after.version, asked.version)
      assert.deepStrictEqual(yield* takeUp([account]), [])
    }),
  ),
  promise(
    "of workers that ask at once each extra goes to one",
    Effect.gen(function* () {
      const store = yield* ExtraStore
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      yield* takeUp([])
      const languages = ["de", "fr", "es", "it", "pt", "nl", "sv", "da"]
      yield* ask(account, id, ...languages.map(to))
      const all = yield* racing(6, () => store.claim({ want: 3, leaseSeconds: 60 }))
      const taken = all.flat().filter(({ job }) => job.account === account)
      assert.sameMembers(
        taken.map(({ lease }) => lease.name.language),
        languages,
      )
    }),
  ),
  promise(
    "accounts take turns",
    Effect.gen(function* () {
      const [many, few] = [yield* newAccount(), yield* newAccount()]
      const [first, second] = [yield* createDone(many), yield* createDone(few)]
      yield* takeUp([])
      yield* ask(many, first.id, ...["de", "fr", "es", "it"].map(to))
      yield* advance(1)
      yield* ask(few, second.id, SUMMARY)
      const claimed = yield* takeUp([many, few], 2)
      assert.sameMembers(
        claimed.map(({ job }) => job.account),
        [many, few],
      )
    }),
  ),
  promise(
    "asking again begins nothing anew while it is being made, and what was made stays until the new one is there",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      yield* ask(account, id, SUMMARY)
      const first = yield* takeOnly(account)
      const same = yield* ask(account, id, SUMMARY)
      assert.deepStrictEqual(yield* getJob(account, id), same)
      assert.deepStrictEqual(yield* takeUp([account]), [])
      assert.isTrue(yield* finish(first, done(summary("The first."))))
      yield* ask(account, id, SUMMARY)
      assert.deepStrictEqual(yield* madeOf(account, id), [summary("The first.")])
      const second = yield* takeOnly(account)
      assert.strictEqual(second.attempt, 1)
      const failed = { status: "failed", error: "The text model does not answer.", revision: 3 } as const
      assert.isTrue(yield* finish(second, failed))
      assert.deepStrictEqual((yield* getJob(account, id)).enrichment, { summary: failed })
      assert.deepStrictEqual(yield* madeOf(account, id), [summary("The first.")])
      yield* ask(account, id, SUMMARY)
      assert.isTrue(yield* finish(yield* takeOnly(account), done(summary("The second.", 4))))
      assert.deepStrictEqual(yield* madeOf(account, id), [summary("The second.", 4)])
    }),
  ),
  promise(
    "a lease that ran out gives no right, and the extra is taken up again",
    Effect.gen(function* () {
      const store = yield* ExtraStore
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      yield* ask(account, id, SUMMARY)
      const first = yield* takeOnly(account, 30)
      yield* advance(20)
      assert.isTrue(yield* store.extend(first.lease, 30))
      yield* advance(20)
      assert.deepStrictEqual(yield* takeUp([account]), [])
      yield* advance(20)
      assert.isFalse(yield* store.extend(first.lease, 30))
      const second = yield* takeOnly(account)
      assert.strictEqual(second.attempt, 2)
      assert.isFalse(yield* finish(first, done(summary("Too late."))))
      assert.deepStrictEqual(yield* madeOf(account, id), [])
      yield* store.release(second.lease)
      const third = yield* takeOnly(account)
      assert.strictEqual(third.attempt, 2)
      assert.isFalse(yield* finish(second, done(summary("Given back."))))
      assert.isTrue(yield* finish(third, done(summary("In time."))))
      assert.isFalse(yield* finish(third, done(summary("Twice."))))
      assert.deepStrictEqual(yield* madeOf(account, id), [summary("In time.")])
    }),
  ),
  promise(
    "lines that are missing in a translation are told of once",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      yield* ask(account, id, to("de"), to("fr"))
      for (const claimed of yield* takeUp([account])) {
        const { name } = claimed.lease
        if (name.kind !== "translation") return yield* Effect.dieMessage("no translation")
        yield* finish(claimed, done({ ...name, value: [""], revision: 0 }, true))
      }
      const { warnings } = yield* getJob(account, id)
      assert.deepStrictEqual(
        warnings.map(({ code }) => code),
        ["translation_incomplete"],
      )
    }),
  ),
  promise(
    "there are extras only of what is done, and of nobody else's",
    Effect.gen(function* () {
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const queued = yield* createJob(account)
      const { id } = yield* createDone(account)
      assert.strictEqual(yield* refusal(ask(account, queued.id, SUMMARY)), "NothingToEdit")
      assert.strictEqual(yield* refusal(ask(other, id, SUMMARY)), "JobNotFound")
      yield* ask(account, id, SUMMARY)
      yield* finish(yield* takeOnly(account), done(summary("In short.")))
      assert.deepStrictEqual(yield* madeOf(other, id), [])
      yield* takeOne(account)
    }),
  ),
  promise(
    "they go with the job, and are no part of what other requests are given",
    Effect.gen(function* () {
      const [store, jobs] = [yield* ExtraStore, yield* JobStore]
      const account = yield* newAccount()
      const key = yield* unique
      yield* createJob(account)
      const { lease } = yield* takeOne(account)
      const queue = yield* JobQueue
      yield* queue.complete(lease, finishedWith(), { cacheKeys: [key], shared: false })
      yield* ask(account, lease.job, SUMMARY, to("de"))
      const [one, two] = yield* takeUp([account])
      if (one === undefined || two === undefined) return yield* Effect.dieMessage("no extras to make")
      const summaryFirst = one.lease.name.kind === "summary" ? [one, two] : [two, one]
      yield* finish(summaryFirst[0] ?? one, done(summary("In short.")))
      const cached = yield* jobs.cached(account, key)
      assert.deepStrictEqual(cached?.enrichment, {})
      assert.isNull(cached?.content.summary)
      yield* jobs.remove(account, lease.job)
      assert.deepStrictEqual(yield* madeOf(account, lease.job), [])
      const left = summaryFirst[1] ?? two
      assert.isFalse(yield* store.extend(left.lease, 60))
      assert.isFalse(
        yield* finish(left, done({ kind: "translation", language: "de", value: ["x"], revision: 0 })),
      )
    }),
  ),
]
