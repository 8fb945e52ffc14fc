/** Questions about what is kept in files, by the rules of a service. */
import type { Answer } from "@earmark/api/client"
import { bestHolding, holdingFor } from "@earmark/core/questions"
import { Answer as AnswerSchema, AskRequest, decodeRequest, MOST_ASKED } from "@earmark/core/wire"
import { answerQuestion, type Questioned } from "@earmark/service"
import { Effect, Schema } from "effect"
import type { Entry } from "./entries.js"
import { type LibraryRefused, orRefused } from "./LibraryRefused.js"
import { breath, candidateOf } from "./searchEntries.js"

const encode = Schema.encodeSync(AnswerSchema)
const decode = decodeRequest(AskRequest)

/** A question, with the transcripts that it is answered from. */
export type Asking = Omit<Parameters<typeof answerQuestion>[0], "answer" | "patience">

/** Who answers questions. */
export type Answering<E> = (asking: Asking) => Effect.Effect<typeof AnswerSchema.Type, E>

export const byPassages: Answering<never> = (asking) => answerQuestion({ ...asking, answer: null })

/** An answer from transcripts that were read. */
export const answerFrom = <E>(
  given: string,
  sources: ReadonlyArray<Questioned>,
  total: number,
  answering: Answering<E>,
): Effect.Effect<Answer, E | LibraryRefused> =>
  Effect.gen(function* () {
    const { question } = yield* orRefused(decode({ question: given }))
    return encode(yield* answering({ question, sources, total }))
  })

interface Found {
  readonly answer: Answer
  readonly unreadable: ReadonlyArray<Entry>
}

/** From all of them: those that fit the question best are read. */
export const askEntries = <E>(
  folder: string,
  entries: ReadonlyArray<Entry>,
  question: string,
  answering: Answering<E>,
): Effect.Effect<Found, E | LibraryRefused> =>
  Effect.gen(function* () {
    const unreadable: Array<Entry> = []
    const heldIn = holdingFor(question)
    const rows: Array<{ readonly entry: Entry; readonly held: ReadonlyArray<boolean> }> = []
    for (const entry of entries) {
      if (entry.status !== "done") continue
      const candidate = candidateOf(folder, entry, null, undefined)
      if (candidate === "damaged") unreadable.push(entry)
      else if (candidate !== "other") rows.push({ entry, held: heldIn(candidate.content.segments) })
      yield* breath
    }
    const sources = bestHolding(rows, MOST_ASKED).flatMap(({ entry }): ReadonlyArray<Questioned> => {
      const candidate = candidateOf(folder, entry, null, undefined)
      return typeof candidate === "string" ? [] : [candidate]
    })
    return { answer: yield* answerFrom(question, sources, rows.length, answering), unreadable }
  })
