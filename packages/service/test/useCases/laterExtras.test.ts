import type { AccountId } from "@earmark/core/jobs"
import { decodeRequest, EditRequest, ExportQuery, ExtrasRequest } from "@earmark/core/wire"
import {
  Edits,
  ExtraStore,
  Extras,
  Transcriptions,
  TranslatorNone,
  WorkFailed,
  Writer,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, TestClock } from "effect"
import {
  balance,
  bodyOf,
  create,
  inWorld,
  newAccount,
  refusal,
  settle,
  withExtras,
  withWorker,
} from "../world.js"

const talk = "https://a.example/talk.mp3?seconds=90"

/** A transcript without extras. */
const heard = (account: AccountId, body: object = {}) =>
  Effect.gen(function* () {
    const { id } = yield* create(account, { url: talk, ...body })
    yield* withWorker(settle)
    return id
  })

const ask = (account: AccountId, id: string, body: unknown) =>
  Effect.flatMap(Extras, (extras) =>
    extras.ask(account, id, Either.getOrThrow(decodeRequest(ExtrasRequest)(body))),
  )

const edit = (account: AccountId, id: string, base: number, ...operations: ReadonlyArray<unknown>) =>
  Effect.flatMap(Edits, (edits) =>
    edits.edit(
      account,
      id,
      Either.getOrThrow(decodeRequest(EditRequest)({ base_revision: base, operations })),
    ),
  )

const read = (account: AccountId, id: string, query: { translation?: string; revision?: number } = {}) =>
  Effect.gen(function* () {
    const job = yield* (yield* Transcriptions).get(account, id, query)
    return job.status === "done" ? job : yield* Effect.dieMessage(job.status)
  })

const exported = (account: AccountId, id: string, query: object) =>
  Effect.gen(function* () {
    const jobs = yield* Transcriptions
    const { chunks } = yield* jobs.export(
      account,
      id,
      Either.getOrThrow(decodeRequest(ExportQuery)({ format: "txt", ...query })),
    )
    return [...chunks].join("")
  })

const DONE = { status: "done", revision: 0 } as const

describe("extras that are asked for afterwards", () => {
  it.effect("are pending, then made, and cost nothing", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* heard(account)
      const before = yield* balance(account)
      const asked = yield* ask(account, id, { summary: true, chapters: true, translate_to: "de" })
      const pending = { status: "pending", revision: 0 } as const
      assert.deepStrictEqual(asked.enrichment, {
        summary: pending,
        chapters: pending,
        translation: pending,
        translations: { de: pending },
      })
      const waiting = yield* read(account, id)
      assert.deepStrictEqual(waiting.enrichment, asked.enrichment)
      assert.isUndefined(waiting.summary)
      yield* withExtras(settle)
      const job = yield* read(account, id)
      assert.deepStrictEqual(job.enrichment, {
        summary: DONE,
        chapters: DONE,
        translation: DONE,
        translations: { de: DONE },
      })
      assert.isNotEmpty(job.summary)
      assert.isNotEmpty(job.chapters)
      assert.strictEqual(job.translation?.segments[0]?.text, `[de] ${job.segments[0]?.text}`)
      assert.deepStrictEqual(yield* balance(account), before)
      assert.deepStrictEqual((yield* ask(account, id, { summary: true })).enrichment, job.enrichment)
    }).pipe(inWorld()),
  )

  it.effect("stand beside each other in several languages; each is read and exported by its name", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* heard(account, { translate_to: "de" })
      for (const language of ["fr", "pt-BR"]) yield* ask(account, id, { translate_to: language })
      yield* withExtras(settle)
      const { translation, enrichment } = yield* read(account, id)
      assert.strictEqual(translation?.language, "de")
      assert.deepStrictEqual(enrichment.translations, { de: { status: "done" }, fr: DONE, "pt-BR": DONE })
      for (const language of ["de", "fr", "pt-BR"]) {
        const job = yield* read(account, id, { translation: language })
        assert.strictEqual(job.translation?.language, language)
        assert.isTrue(job.translation?.segments.every(({ text }) => text.startsWith(`[${language}] `)))
        assert.include(yield* exported(account, id, { language }), `[${language}] `)
      }
      assert.isUndefined((yield* read(account, id, { translation: "es" })).translation)
      assert.strictEqual(yield* refusal(exported(account, id, { language: "es" })), "ExportRefused")
    }).pipe(inWorld()),
  )

  it.effect("are made from the corrected text, and are stale after the next correction", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* heard(account, { translate_to: "de" })
      yield* edit(account, id, 0, { type: "text", line: 0, text: "We mend it" })
      const corrected = yield* read(account, id)
      assert.deepStrictEqual(corrected.enrichment.translation, { status: "done", stale: true })
      yield* ask(account, id, { translate_to: "de" })
      yield* withExtras(settle)
      const again = yield* read(account, id)
      assert.deepStrictEqual(again.enrichment.translation, { status: "done", revision: 1 })
      assert.strictEqual(again.translation?.segments[0]?.text, "[de] We mend it")
      const count = again.segments.length
      yield* edit(account, id, 1, { type: "merge", line: 0 })
      const merged = yield* read(account, id)
      assert.strictEqual(merged.segments.length, count - 1)
      assert.deepStrictEqual(merged.enrichment.translation, { status: "done", revision: 1, stale: true })
      // Line for line beside what it was made from: no line of it is lost.
      assert.strictEqual(merged.translation?.segments.length, count)
      const first = yield* read(account, id, { revision: 0 })
      assert.deepStrictEqual(first.enrichment.translation, { status: "done", revision: 1, stale: true })
    }).pipe(inWorld()),
  )

  it.effect("fail each alone, keep what was there, and are tried again when they are asked for again", () => {
    let calls = 0
    const moody = Layer.succeed(Writer, {
      id: "w",
      isRemote: true,
      summarize: () =>
        Effect.suspend(() => {
          calls += 1
          const detail = "The text model took too long."
          return calls === 1
            ? Effect.fail(new WorkFailed({ code: "engine_timeout", isTransient: true, detail }))
            : Effect.succeed(`Made at call ${calls}.`)
        }),
      chapters: () => Effect.dieMessage("a bug"),
    })
    return Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* heard(account)
      yield* ask(account, id, { summary: true, chapters: true, translate_to: "xx" })
      yield* withExtras(settle)
      const { enrichment } = yield* read(account, id)
      assert.deepInclude(enrichment.summary, { status: "failed", error: "The text model took too long." })
      assert.strictEqual(enrichment.chapters?.status, "failed")
      assert.strictEqual(enrichment.translations?.xx?.status, "failed")
      yield* ask(account, id, { summary: true })
      yield* withExtras(settle)
      const job = yield* read(account, id)
      assert.strictEqual(job.summary, "Made at call 2.")
      assert.deepStrictEqual(job.enrichment.summary, DONE)
      assert.strictEqual(job.enrichment.chapters?.status, "failed")
    }).pipe(inWorld({ writer: moody }))
  })

  it.effect("survive a worker that died, and end after three that did", () =>
    Effect.gen(function* () {
      const store = yield* ExtraStore
      const account = yield* newAccount()
      const [first, second] = [yield* heard(account), yield* heard(account, { title: "Another" })]
      yield* ask(account, first, { summary: true })
      yield* store.claim({ want: 10, leaseSeconds: 45 })
      yield* withExtras(settle)
      assert.strictEqual((yield* read(account, first)).enrichment.summary?.status, "pending")
      yield* TestClock.adjust("1 minute")
      yield* withExtras(settle)
      assert.strictEqual((yield* read(account, first)).enrichment.summary?.status, "done")
      yield* ask(account, second, { summary: true })
      for (let death = 0; death < 3; death += 1) {
        yield* store.claim({ want: 10, leaseSeconds: 45 })
        yield* TestClock.adjust("1 minute")
      }
      yield* withExtras(settle)
      const { summary } = (yield* read(account, second)).enrichment
      assert.strictEqual(summary?.status, "failed")
      assert.match(summary?.error ?? "", /broke off 3 times/)
    }).pipe(inWorld()),
  )

  it.effect("are refused where nothing translates, of what is not done, and of others", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const id = yield* heard(account)
      assert.strictEqual(yield* refusal(ask(account, id, { translate_to: "de" })), "RequestRefused")
      assert.strictEqual(yield* refusal(ask(other, id, { summary: true })), "JobNotFound")
      const queued = yield* create(account, { url: `${talk}&other=1` })
      assert.strictEqual(yield* refusal(ask(account, queued.id, { summary: true })), "TranscriptNotReady")
      assert.isTrue(Either.isLeft(decodeRequest(ExtrasRequest)({})))
      assert.isTrue(Either.isLeft(decodeRequest(ExtrasRequest)({ summary: false })))
    }).pipe(inWorld({ translator: TranslatorNone.layer })),
  )

  it.effect("have a bound: twenty translations", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* heard(account)
      for (let at = 0; at < 20; at += 1)
        yield* ask(account, id, { translate_to: `a${String.fromCharCode(97 + at)}` })
      assert.strictEqual(yield* refusal(ask(account, id, { translate_to: "zu" })), "RequestRefused")
      yield* ask(account, id, { translate_to: "aa" })
    }).pipe(inWorld()),
  )

  it.effect("of a test are made by nobody who costs", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const jobs = yield* Transcriptions
      const { answer } = yield* jobs.create(account, bodyOf({ url: talk }), { isTest: true })
      yield* withWorker(settle)
      yield* ask(account, answer.id, { summary: true })
      yield* withExtras(settle)
      assert.isNotEmpty((yield* read(account, answer.id)).summary)
    }).pipe(
      inWorld({
        writer: Layer.succeed(Writer, {
          id: "w",
          isRemote: true,
          summarize: () => Effect.dieMessage("it was asked"),
          chapters: () => Effect.dieMessage("it was asked"),
        }),
      }),
    ),
  )
})
