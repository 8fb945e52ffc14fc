import type { Balance, Hold } from "@earmark/core/credits"
import {
  AccountId,
  EndpointId,
  effectiveOptions,
  ID_RANDOM_BYTES,
  type IdKind,
  JobId,
  makeId,
} from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { type EventListener, JobChanges, type JobRows } from "../../src/ports/JobChanges.js"
import type { Finished } from "../../src/ports/records.js"
import { freshJob } from "../../src/ports/stored.js"

const NOW = 1_800_000_000_000

let made = 0
const newId = (kind: IdKind) => {
  const random = new Uint8Array(ID_RANDOM_BYTES)
  new DataView(random.buffer).setUint32(ID_RANDOM_BYTES - 4, ++made)
  return makeId(kind, NOW, random)
}

const account = AccountId.make(newId("account"))

const newJob = () =>
  freshJob(
    {
      id: JobId.make(newId("job")),
      account,
      title: null,
      source: { shown: { kind: "media" }, mediaUrl: null, link: null, identity: null },
      options: effectiveOptions({}),
      metadata: null,
      key: "key_one",
      durationSeconds: 60,
      createdAt: NOW - 1000,
      expiresAt: null,
      hold: 0,
    },
    { batch: null },
  )

const finished: Finished = {
  content: { language: "de", segments: [], text: "", summary: null, chapters: null, translation: null },
  origin: "engine",
  engine: "scripted",
  wordTiming: null,
  detectedLanguage: null,
  durationSeconds: 60,
  wordCount: 0,
  credits: 2,
  billedMinutes: 2,
  minutes: 2,
  enrichment: {},
  integrity: null,
  warnings: [],
}

const balance: Balance = { account, posted: 10, held: 6, floor: 0 }
const holdOf = (job: string, amount: number): Hold => ({
  job,
  account,
  run: 0,
  amount,
  state: "open",
  settled: 0,
})

const changesOver = (rows: Partial<JobRows>) =>
  new JobChanges(
    {
      balance: () => balance,
      hold: () => undefined,
      hasTransaction: () => false,
      listeners: () => [],
      ...rows,
    },
    { now: NOW, baseUrl: "https://earmark.example", newId },
  )

const listener = (...events: ReadonlyArray<string>): EventListener => ({
  id: EndpointId.make(newId("endpoint")),
  events,
})

describe("the end of a job", () => {
  it("done: the hold is settled, the rest of it is free, and it is told to those who want it", () => {
    const job = newJob()
    const [wants, other] = [listener("transcription.completed"), listener("transcription.failed")]
    const changes = changesOver({ hold: (id) => holdOf(id, 3), listeners: () => [wants, other] })
    const done = Either.getOrThrow(changes.finish(job, finished))

    assert.strictEqual(done.state.status, "done")
    assert.strictEqual(done.language, "de")
    assert.strictEqual(done.version, job.version + 1)
    assert.deepStrictEqual([...changes.jobs.values()], [done])
    assert.deepStrictEqual(changes.balances.get(account), { ...balance, posted: 8, held: 3 })
    assert.strictEqual(changes.holds.get(job.id)?.state, "settled")
    assert.deepStrictEqual(
      changes.postings.map(({ account: of, amount }) => [of, amount]),
      [
        [`customer:${account}`, -2],
        ["revenue", 2],
      ],
    )
    assert.deepStrictEqual(changes.left, [job.id])
    assert.deepStrictEqual(changes.usage, [{ job: done, minutes: 2, credits: 2 }])
    assert.deepStrictEqual(
      changes.events.map(({ id, type }) => [id, type]),
      [[`${job.id}.done`, "transcription.completed"]],
    )
    assert.deepStrictEqual(
      changes.deliveries.map(({ endpoint }) => endpoint),
      [wants.id],
    )
  })

  it("failed: the hold is released and nothing is billed", () => {
    const job = newJob()
    const changes = changesOver({ hold: (id) => holdOf(id, 3) })
    const failed = Either.getOrThrow(changes.fail(job, "canceled"))

    assert.strictEqual(failed.billedMinutes, 0)
    assert.deepStrictEqual(changes.balances.get(account), { ...balance, held: 3 })
    assert.strictEqual(changes.holds.get(job.id)?.state, "released")
    assert.deepStrictEqual([changes.postings, changes.usage, changes.left], [[], [], [job.id]])
    assert.strictEqual(changes.events[0]?.type, "transcription.failed")
  })

  it("the jobs of one account see the balance that those before them left", () => {
    const jobs = [newJob(), newJob()]
    const changes = changesOver({ hold: (id) => holdOf(id, 3) })
    for (const job of jobs) Either.getOrThrow(changes.finish(job, finished))
    assert.deepStrictEqual(changes.balances.get(account), { ...balance, posted: 6, held: 0 })
    assert.strictEqual(changes.postings.length, 4)
  })

  it("without a hold, a free end leaves the credits alone", () => {
    const changes = changesOver({})
    Either.getOrThrow(changes.finish(newJob(), { ...finished, credits: 0, billedMinutes: 0 }))
    assert.strictEqual(changes.balances.size + changes.holds.size + changes.postings.length, 0)
  })

  it("a job that has ended cannot end again, and nothing is collected", () => {
    const first = changesOver({})
    const canceled = Either.getOrThrow(first.fail(newJob(), "canceled"))
    const second = changesOver({})
    assert.isTrue(Either.isLeft(second.fail(canceled, "canceled")))
    assert.isTrue(Either.isLeft(second.finish(canceled, finished)))
    assert.strictEqual(second.jobs.size + second.left.length + second.events.length, 0)
  })

  it("to settle more than is held is a defect", () => {
    const changes = changesOver({ hold: (id) => holdOf(id, 1) })
    assert.throws(() => changes.finish(newJob(), finished), /LedgerMisused|settled_above_hold/)
  })
})
