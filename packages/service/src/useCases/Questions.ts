import { type AccountId, BatchId, BatchNotFound, parseId } from "@earmark/core/jobs"
import { beginningsOf } from "@earmark/core/questions"
import { type Answer, type AskAllRequest, type AskRequest, MOST_ASKED } from "@earmark/core/wire"
import { Context, Effect, Either, Layer } from "effect"
import { Answerer } from "../ports/Answerer.js"
import { type HoldingFilter, JobStore } from "../ports/JobStore.js"
import type { StorageError } from "../ports/StorageError.js"
import { answerQuestion, type Questioned } from "./answering.js"
import { makeFinding, type Unreadable } from "./finding.js"
import type { RequestContext } from "./Repeats.js"
import type { TranscriptNotReady } from "./refusals.js"

/** Transcripts are read side by side, as many as a pool of connections can spare. */
const READ_AT_ONCE = 4

const parseBatchId = parseId(BatchId)

/** Questions about transcripts of an account. */
export class Questions extends Context.Tag("@earmark/service/Questions")<
  Questions,
  {
    /** With a test key no language model is asked. */
    readonly ask: (
      account: AccountId,
      id: string,
      request: AskRequest,
      context?: RequestContext,
    ) => Effect.Effect<Answer, TranscriptNotReady | Unreadable>
    /** Transcripts that are named have to be done; of a batch, or of all, those that are done and fit best are read. */
    readonly askAll: (
      account: AccountId,
      request: AskAllRequest,
      context?: RequestContext,
    ) => Effect.Effect<Answer, TranscriptNotReady | BatchNotFound | Unreadable>
  }
>() {
  static readonly layer = Layer.effect(
    Questions,
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const answerer = yield* Answerer
      const { find, contentOf } = yield* makeFinding

      const answerFor = ({ isTest = false }: RequestContext = {}) => (isTest ? null : answerer.answer)

      const read = Effect.fnUntraced(function* (account: AccountId, id: string) {
        const job = yield* find(account, id)
        return { job, content: yield* contentOf(job) }
      })

      /** What is gone, or past its retention, since it was found is left out. */
      const readIfThere = (
        account: AccountId,
        id: string,
      ): Effect.Effect<ReadonlyArray<Questioned>, StorageError> =>
        read(account, id).pipe(
          Effect.map((source) => [source]),
          Effect.catchTag("JobNotFound", "JobExpired", "TranscriptNotReady", () => Effect.succeed([])),
        )

      const batchOf = Effect.fnUntraced(function* (account: AccountId, text: string) {
        const parsed = parseBatchId(text)
        const batch = Either.isRight(parsed) ? yield* jobs.batch(account, parsed.right) : null
        return batch?.id ?? (yield* new BatchNotFound({ id: text }))
      })

      const readBest = Effect.fnUntraced(function* (
        account: AccountId,
        question: string,
        scope: Pick<HoldingFilter, "batch">,
      ) {
        const { total, ids } = yield* jobs.holding(account, {
          beginnings: beginningsOf(question),
          ...scope,
          limit: MOST_ASKED,
        })
        const found = yield* Effect.forEach(ids, (id) => readIfThere(account, id), {
          concurrency: READ_AT_ONCE,
        })
        return { total, sources: found.flat() }
      })

      const readAsked = Effect.fnUntraced(function* (account: AccountId, request: AskAllRequest) {
        const { question, ids, batchId } = request
        if (ids === undefined)
          return yield* readBest(
            account,
            question,
            batchId === undefined ? {} : { batch: yield* batchOf(account, batchId) },
          )
        const sources = yield* Effect.forEach(new Set(ids), (id) => read(account, id), {
          concurrency: READ_AT_ONCE,
        })
        return { total: sources.length, sources }
      })

      const ask = Effect.fn("Questions.ask")(function* (
        account: AccountId,
        id: string,
        { question }: AskRequest,
        context?: RequestContext,
      ) {
        const sources = [yield* read(account, id)]
        return yield* answerQuestion({ question, sources, total: 1, answer: answerFor(context) })
      })

      const askAll = Effect.fn("Questions.askAll")(function* (
        account: AccountId,
        request: AskAllRequest,
        context?: RequestContext,
      ) {
        const asked = yield* readAsked(account, request)
        return yield* answerQuestion({ question: request.question, ...asked, answer: answerFor(context) })
      })

      return Questions.of({ ask, askAll })
    }),
  )
}
