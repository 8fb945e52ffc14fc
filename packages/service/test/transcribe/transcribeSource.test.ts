/** One pipeline behind the command and the worker: where both ask for the same, the results are equal. */
import { effectiveOptions } from "@earmark/core/jobs"
import { JobStore, makeTranscribeAlone, SourceResolver } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { create, inWorld, newAccount, settle, stored, withWorker } from "../world.js"

const checkpoints = {
  load: () => Effect.succeed([]),
  save: () => Effect.void,
  report: () => Effect.void,
}

type Asked = Parameters<typeof effectiveOptions>[0]

const alone = (link: string, asked: Asked) =>
  Effect.gen(function* () {
    const { transcribe } = yield* makeTranscribeAlone
    const { resolve } = yield* SourceResolver
    const resolved = yield* resolve({ type: "link", link, episode: null })
    return yield* transcribe({ type: "found", resolved }, effectiveOptions(asked), { checkpoints })
  })

/** The same through the queue and the worker. */
const asJob = (url: string, body: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const account = yield* newAccount({ paid: true })
    const { id } = yield* create(account, { url, ...body })
    yield* withWorker(settle)
    const record = yield* stored(account, id)
    const jobs = yield* JobStore
    return { ...record, content: yield* jobs.content(account, record.id) }
  })

const compared = [
  "origin",
  "engine",
  "wordTiming",
  "detectedLanguage",
  "durationSeconds",
  "wordCount",
  "enrichment",
  "integrity",
  "warnings",
  "content",
] as const

type Compared = Readonly<Record<(typeof compared)[number], unknown>>

const facts = (result: Compared) => Object.fromEntries(compared.map((name) => [name, result[name]]))

const text = "The open ear across winter window for ear water."

const cases: Readonly<Record<string, { readonly asked: Asked; readonly body: Record<string, unknown> }>> = {
  "as it is": { asked: {}, body: {} },
  "with speakers": { asked: { diarize: true }, body: { diarize: true } },
  "with extras": {
    asked: { summary: true, chapters: true, translateTo: "de" },
    body: { summary: true, chapters: true, translate_to: "de" },
  },
  "in part": { asked: { startAt: 20_000, endAt: 50_000 }, body: { start_at: 20, end_at: 50 } },
  "with a text to align": { asked: { transcriptText: text }, body: { transcript_text: text } },
}

describe("the command and a job", () => {
  for (const [name, { asked, body }] of Object.entries(cases)) {
    it.scoped(`have the same result of media taken ${name}`, () =>
      Effect.gen(function* () {
        const link = "https://a.example/talk.mp3?seconds=90"
        const expected = yield* alone(link, asked)
        assert.strictEqual(expected.origin, "engine")
        assert.deepStrictEqual(facts(yield* asJob(link, body)), facts(expected))
      }).pipe(inWorld()),
    )
  }
})
