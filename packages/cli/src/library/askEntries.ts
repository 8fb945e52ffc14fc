/** Questions about what is kept here, by the rules of a service. */
import type { Answer } from "@earmark/api/client"
import { bestHolding, holdingFor } from "@earmark/core/questions"
import { Answer as AnswerSchema, AskRequest, decodeRequest, MOST_ASKED } from "@earmark/core/wire"
import { answerQuestion, type Questioned } from "@earmark/service"
import { Config, Effect, Option, Schema } from "effect"
import type { CommandFailed } from "../CommandFailed.js"
import type { Entry } from "./entries.js"
import { orRefused } from "./refusals.js"
import { breath, candidateOf } from "./searchEntries.js"

const encode = Schema.encodeSync(AnswerSchema)
const decode = decodeRequest(AskRequest)

const loadHost = Effect.promise(() => import("./answerHost.js"))

/** An answer from transcripts of this machine; by its language model where one is set. */
export const answerHere = (
  given: string,
  sources: ReadonlyArray<Questioned>,
  total: number,
): Effect.Effect<Answer, CommandFailed> =>
  Effect.gen(function* () {
    const { question } = yield* orRefused(decode({ question: given }))
    const asking = { question, sources, total }
    // What speaks to a model is large, and loaded where there is one.
    const hasModel = Option.isSome(yield* Effect.option(Config.nonEmptyString("EARMARK_LLM_URL")))
    const answer = hasModel
      ? yield* (yield* loadHost).answerWithModel(asking)
      : yield* answerQuestion({ ...asking, answer: null })
    return encode(answer)
  })

interface Found {
  readonly answer: Answer
  readonly unreadable: ReadonlyArray<Entry>
}

/** From all of them: those that fit the question best are read. */
export const askEntries = (
  folder: string,
  entries: ReadonlyArray<Entry>,
  question: string,
): Effect.Effect<Found, CommandFailed> =>
  Effect.gen(function* () {
    const unreadable: Array<Entry> = []
    const heldIn = holdingFor(question)
    const rows: Array<{ readonly entry: Entry; readonly held: ReadonlyArray<boolean> }> = []
    for (const entry of entries) {
      if (entry.status !== "done") continue
      const candidate = candidateOf(folder, entry, [], undefined)
      if (candidate === "damaged") unreadable.push(entry)
      else if (candidate !== "other") rows.push({ entry, held: heldIn(candidate.content.segments) })
      yield* breath
    }
    const sources = bestHolding(rows, MOST_ASKED).flatMap(({ entry }): ReadonlyArray<Questioned> => {
      const candidate = candidateOf(folder, entry, [], undefined)
      return typeof candidate === "string" ? [] : [candidate]
    })
    return { answer: yield* answerHere(question, sources, rows.length), unreadable }
  })
