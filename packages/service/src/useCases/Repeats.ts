import type { AccountId, KeyId } from "@earmark/core/jobs"
import { fingerprint, IDEMPOTENCY_SECONDS, type IdempotencyKey } from "@earmark/core/requests"
import { Clock, Effect, Schema } from "effect"
import { Idempotency } from "../ports/Idempotency.js"
import type { Guard, Guarded } from "../ports/JobStore.js"
import { IdempotencyAnswerLost } from "./refusals.js"
import { Secrets } from "./Secrets.js"

/** What comes with a request beside its body. */
export interface RequestContext {
  /** The key that the request was made with. */
  readonly key?: KeyId | undefined
  /** Whether that is a test key: jobs made with it are scripted and free. */
  readonly isTest?: boolean | undefined
  readonly idempotencyKey?: IdempotencyKey | undefined
}

/** A request as a repeat is compared with it: one with a test key is never the one with another key. */
export const requestIn = ({ isTest = false }: RequestContext, request: object): object =>
  isTest ? { request, isTest } : request

/** An answer, and whether an earlier request with the same key was given it before. */
export interface Answered<Answer> {
  readonly answer: Answer
  readonly replayed: boolean
}

interface Repeatable<Answer, Encoded> {
  readonly account: AccountId
  readonly idempotencyKey: IdempotencyKey | undefined
  /** The path template: a key that comes back on another route is another request. */
  readonly route: string
  readonly body: unknown
  readonly answer: Schema.Schema<Answer, Encoded>
}

/** Makes the guard of a write from the answer that a repeat is to get. */
type GuardOf<Answer> = (answer: Answer) => Effect.Effect<Guard | null>

/**
 * Requests that happen once under an idempotency key. Answers are kept sealed, since some of them hold secrets.
 * The guard is written by whatever store the work writes to, in the same transaction.
 */
export const makeRepeats = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const secrets = yield* Secrets

  const placeOf = (account: AccountId, key: IdempotencyKey) => `answer ${account} ${key}`

  const once = Effect.fnUntraced(function* <Answer, Encoded, E, R>(
    request: Repeatable<Answer, Encoded>,
    work: (
      guardOf: GuardOf<Answer>,
    ) => Effect.Effect<{ readonly answer: Answer; readonly guarded: Guarded }, E, R>,
  ) {
    const { account, idempotencyKey: key, answer: schema } = request
    const fresh = (answer: Answer): Answered<Answer> => ({ answer, replayed: false })
    if (key === undefined) return fresh((yield* work(() => Effect.succeed(null))).answer)

    const json = Schema.parseJson(schema)
    const place = placeOf(account, key)
    const read = (kept: string) =>
      secrets.open(kept, place).pipe(
        Effect.mapError(() => new IdempotencyAnswerLost()),
        Effect.flatMap((text) => Effect.orDie(Schema.decode(json)(text))),
        Effect.map((answer): Answered<Answer> => ({ answer, replayed: true })),
      )

    const print = fingerprint("POST", request.route, request.body)
    const kept = yield* idempotency.recall(account, key, print)
    if (kept !== null) return yield* read(kept)

    const guardOf: GuardOf<Answer> = Effect.fnUntraced(function* (answer) {
      const text = yield* Effect.orDie(Schema.encode(json)(answer))
      const expiresAt = (yield* Clock.currentTimeMillis) + IDEMPOTENCY_SECONDS * 1000
      return { key, fingerprint: print, answer: yield* secrets.seal(text, place), expiresAt }
    })
    const { answer, guarded } = yield* work(guardOf)
    return guarded.type === "replayed" ? yield* read(guarded.answer) : fresh(answer)
  })

  return { once }
})
