/** A finished transcript, and corrections of it. */
import { randomBytes } from "node:crypto"
import type { EditOperation } from "@earmark/core/edits"
import { type AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, makeId } from "@earmark/core/jobs"
import { Edits, JobStore, Transcriptions } from "@earmark/service"
import { Effect } from "effect"

export const LINES = ["the whether is nice", "we spoke of bees", "so it goes"]

/** A finished transcript of three lines by two speakers, with everything made of it. */
export const transcribed = (account: AccountId, given: { readonly texts?: ReadonlyArray<string> } = {}) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const id = JobId.make(makeId("job", 0, randomBytes(ID_RANDOM_BYTES)))
    const url = `https://a.example/${id}.mp3`
    const segments = LINES.map((text, at) => ({
      start: at * 5000,
      end: at * 5000 + 4000,
      speaker: `Speaker ${1 + (at % 2)}`,
      text,
      words: [],
    }))
    yield* jobs.createDone(
      {
        id,
        account,
        title: "Bees",
        source: { shown: { kind: "media", url }, mediaUrl: url, link: url, identity: null },
        options: effectiveOptions({}),
        metadata: null,
        key: null,
        durationSeconds: null,
        createdAt: 0,
        expiresAt: null,
        hold: 0,
      },
      {
        content: {
          language: "en",
          segments,
          text: LINES.join(" "),
          summary: "Of bees.",
          chapters: [{ start: 0, end: 15_000, title: "Bees" }],
          translation: { language: "de", texts: given.texts ?? ["eins", "zwei", "drei"] },
        },
        origin: "captions",
        engine: null,
        wordTiming: null,
        detectedLanguage: null,
        durationSeconds: 15,
        wordCount: 11,
        credits: 0,
        billedMinutes: 0,
        minutes: 0,
        enrichment: {
          summary: { status: "done" },
          chapters: { status: "done" },
          translation: { status: "done" },
        },
        integrity: null,
        warnings: [],
      },
      { guard: null },
    )
    return id
  })

export const edit = (
  account: AccountId,
  id: string,
  baseRevision: number,
  ...operations: ReadonlyArray<EditOperation>
) => Effect.flatMap(Edits, (edits) => edits.edit(account, id, { baseRevision, operations }))

export const correct: EditOperation = { type: "text", line: 0, text: "The weather is nice" }

export const read = (account: AccountId, id: string, revision?: number) =>
  Effect.gen(function* () {
    const job = yield* (yield* Transcriptions).get(account, id, { revision })
    return job.status === "done" ? job : yield* Effect.dieMessage("not done")
  })
