import { type AccountId, JobId } from "@earmark/core/jobs"
import { JobStore, Quotes } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { balance, bodyOf, create, get, inWorld, newAccount, settle, stored, withWorker } from "../world.js"

const talk = "https://a.example/talk.mp3?seconds=90"
const text = "Good morning, and welcome to the museum. Where is the lift?"

const contentOf = (account: AccountId, id: string) =>
  Effect.flatMap(JobStore, (jobs) => jobs.content(account, JobId.make(id)))

const done = (account: AccountId, body: unknown) =>
  Effect.gen(function* () {
    const { id } = yield* create(account, body)
    yield* withWorker(settle)
    const job = yield* get(account, id)
    if (job.status !== "done") return assert.fail(job.error ?? job.status)
    return job
  })

describe("a text that the request brings", () => {
  it.effect("is the transcript, at the price of hearing it, and the record does not repeat it", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const job = yield* done(account, { url: talk, transcript_text: text })
      assert.deepInclude(job, { text, engine: "aligner", origin: "engine", cached: false, billedMinutes: 2 })
      assert.deepInclude(job.detectedLanguage, { code: "en" })
      assert.notProperty(job.options, "transcriptText")
      assert.deepStrictEqual(yield* balance(account), { posted: 58, held: 0 })
      const words = (yield* contentOf(account, job.id))?.segments.flatMap((segment) => segment.words) ?? []
      assert.deepStrictEqual(words.map((word) => word.text).join(" "), text)
    }).pipe(inWorld()),
  )

  it.effect("comes with speakers, extras and a part of the media, like any other", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const asked = { diarize: true, summary: true, translate_to: "de", start_at: 30, end_at: 60 }
      const job = yield* done(account, { url: talk, transcript_text: text, ...asked })
      assert.deepInclude(job.enrichment, { summary: { status: "done" }, translation: { status: "done" } })
      assert.isTrue(job.segments.every(({ speaker }) => speaker !== null))
      assert.isTrue(job.segments.every(({ start, end }) => start >= 30_000 && end <= 60_000))
      assert.strictEqual(job.billedMinutes, 1)
    }).pipe(inWorld()),
  )

  it.effect("answers the same request of the same account, and no request that is heard", () =>
    Effect.gen(function* () {
      const [eve, bob] = [yield* newAccount(), yield* newAccount()]
      const planted = { url: talk, transcript_text: "This text is planted." }
      const first = yield* done(eve, planted)
      const quotes = yield* Quotes
      const priceOf = (account: AccountId, request: unknown) =>
        quotes.quote(account, { type: "transcription", request: bodyOf(request) })
      assert.deepInclude(yield* priceOf(eve, planted), { cached: true, credits: 0 })
      const again = yield* done(eve, { ...planted, summary: true })
      assert.deepInclude(again, { cached: true, engine: "aligner", billedMinutes: 0 })
      for (const account of [eve, bob]) {
        const heard = yield* done(account, { url: talk, ...(account === bob && { vocabulary: ["Ann"] }) })
        assert.notInclude(heard.text, "planted")
        assert.deepInclude(heard, { cached: false, engine: "scripted" })
      }
      // Another account, and another text.
      assert.deepInclude(yield* priceOf(bob, planted), { cached: false, credits: 2 })
      assert.isFalse((yield* done(bob, planted)).cached)
      const other = yield* done(eve, { url: talk, transcript_text: text })
      assert.deepInclude(other, { cached: false, text })
      assert.notStrictEqual(other.id, first.id)
    }).pipe(inWorld()),
  )

  it.effect("is taken in place of captions, and of what was heard before", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      yield* done(account, { url: `${talk}&captions=people` })
      const job = yield* done(account, { url: `${talk}&captions=people`, transcript_text: text })
      assert.deepInclude(job, { text, cached: false, engine: "aligner" })
    }).pipe(inWorld()),
  )

  it.effect("may be captions, whose times are not words", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const captions =
        "1\n00:00:01,000 --> 00:00:04,000\nGood morning.\n\n2\n00:00:05,000 --> 00:00:08,000\nWhere is the lift?\n"
      const job = yield* done(account, { url: talk, transcript_text: captions })
      assert.strictEqual(job.text, "Good morning. Where is the lift?")
    }).pipe(inWorld()),
  )

  it.effect("needs no engine that knows its language", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const job = yield* done(account, { url: talk, transcript_text: "Guten Morgen.", language: "de" })
      assert.deepInclude(job, { text: "Guten Morgen.", language: "de" })
    }).pipe(inWorld({ engine: { capabilities: { languages: ["en"] } } })),
  )

  it.effect("is no text of a recording in which nobody speaks", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* create(account, { url: `${talk}&silent`, transcript_text: text })
      yield* withWorker(settle)
      assert.deepInclude((yield* stored(account, id)).state, { status: "failed", code: "no_speech" })
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld()),
  )
})
