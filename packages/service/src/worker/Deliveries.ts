import { parseRetryAfter } from "@earmark/core/jobs"
import {
  mask,
  type SigningSecrets,
  secretsInForce,
  signWebhook,
  standardWebhookHeaders,
} from "@earmark/core/signing"
import { Clock, Context, Effect, Either, Layer, Random } from "effect"
import { countAttempt } from "../observing/measure.js"
import { continueTrace, currentTrace } from "../observing/traces.js"
import { type SentAnswer, WebhookSender } from "../ports/WebhookSender.js"
import { type ClaimedDelivery, type StoredEndpoint, WebhookStore } from "../ports/WebhookStore.js"
import { Secrets } from "../useCases/Secrets.js"
import { DeliveryConfig } from "./DeliveryConfig.js"
import { runLoop } from "./runLoop.js"
import { steady } from "./steady.js"

const LOGGED_ANSWER = 4096
const LOGGED_HEADERS = ["content-type", "content-length", "retry-after", "server", "location"]

const loggedHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]): [string, string] => [name.toLowerCase(), value.slice(0, 200)])
      .filter(([name]) => LOGGED_HEADERS.includes(name)),
  )

const withoutSignatures = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]))

const unsent: SentAnswer = { status: null, error: "unknown", headers: {}, body: "" }

/** Brings events to their receivers: signed with the secrets in force, the same bytes in every attempt. */
export class Deliveries extends Context.Tag("@earmark/service/Deliveries")<
  Deliveries,
  {
    /** Delivers until it is interrupted; what is under way then gets its time to end. */
    readonly run: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const sender = yield* WebhookSender
      const secrets = yield* Secrets
      const config = yield* DeliveryConfig
      const unitSeconds = config.backoff[0] ?? 1

      /** The secrets that sign now, newest first; one that does not open any more signs nothing. */
      const signing = (
        { id, secrets: sealed }: StoredEndpoint,
        now: number,
      ): Either.Either<SigningSecrets, unknown> =>
        Either.gen(function* () {
          const [first, ...old] = sealed
          const current = yield* first === undefined
            ? Either.left("no secret")
            : secrets.open(first.sealed, id)
          const older = old.flatMap(({ sealed: text, endsAt }) =>
            Either.match(secrets.open(text, id), {
              onLeft: () => [],
              onRight: (secret) => [{ secret, endsAt: Math.floor((endsAt ?? 0) / 1000) }],
            }),
          )
          return secretsInForce(current, older, now)
        })

      const headersOf = (
        { delivery, body }: ClaimedDelivery,
        inForce: SigningSecrets,
        timestamp: number,
        trace: string | null,
      ) => ({
        ...(trace !== null && { traceparent: trace }),
        "Content-Type": "application/json",
        "User-Agent": "Earmark-Webhooks/1",
        "Service-Event-Type": delivery.eventType,
        "Service-Event-Id": delivery.eventId,
        "Service-Signature": signWebhook({ secrets: inForce, body, timestamp }),
        ...standardWebhookHeaders({ secrets: inForce, id: delivery.eventId, body, timestamp }),
      })

      const record = Effect.fnUntraced(function* (
        claimed: ClaimedDelivery,
        startedAt: number,
        headers: Readonly<Record<string, string>>,
        answer: SentAnswer,
      ) {
        const now = yield* Clock.currentTimeMillis
        const asked = Object.entries(answer.headers).find(([name]) => name.toLowerCase() === "retry-after")
        const outcome = {
          startedAt,
          durationMilliseconds: now - startedAt,
          status: answer.status,
          error: answer.error,
          requestHeaders: withoutSignatures(headers),
          responseHeaders: loggedHeaders(answer.headers),
          responseBody: answer.body.slice(0, LOGGED_ANSWER),
        }
        const rules = {
          backoff: config.backoff,
          random: yield* Random.next,
          retryAfter: asked === undefined ? null : parseRetryAfter(asked[1], now),
        }
        yield* countAttempt(answer.status, now - startedAt)
        yield* steady(store.record(claimed, outcome, rules))
      })

      const send = Effect.fn("Deliveries.send")(function* (claimed: ClaimedDelivery) {
        const startedAt = yield* Clock.currentTimeMillis
        const timestamp = Math.floor(startedAt / 1000)
        const inForce = signing(claimed.endpoint, timestamp)
        if (Either.isLeft(inForce)) {
          yield* Effect.logError("The secret of an endpoint does not open; nothing was sent")
          return yield* record(claimed, startedAt, {}, unsent)
        }
        const headers = headersOf(claimed, inForce.right, timestamp, yield* currentTrace)
        const { timeoutSeconds } = config
        // From here on the receiver may have it: the outcome is written, come what may.
        const answer = yield* sender
          .post(claimed.endpoint.url, { headers, body: claimed.body, timeoutSeconds })
          .pipe(
            Effect.catchAllCause((cause) => Effect.as(Effect.logError("A delivery crashed", cause), unsent)),
            Effect.onInterrupt(() => Effect.ignore(record(claimed, startedAt, headers, unsent))),
          )
        yield* record(claimed, startedAt, headers, answer)
      })

      const deliver = (claimed: ClaimedDelivery): Effect.Effect<void> =>
        send(claimed).pipe(
          continueTrace(claimed.trace),
          Effect.catchAllCause((cause) => Effect.logWarning("An attempt could not be written down", cause)),
          Effect.annotateLogs({ delivery: claimed.delivery.id, endpoint: claimed.endpoint.id }),
        )

      const run = runLoop({
        name: "The delivery loop",
        slots: config.slots,
        claim: (want) =>
          store.claim({
            want,
            perEndpoint: config.perEndpoint,
            leaseSeconds: config.leaseSeconds,
            unitSeconds,
          }),
        run: deliver,
        wakeUps: store.wakeUps,
        pollEvery: config.pollEvery,
        grace: config.grace,
        stopping: Effect.void,
      })

      return Deliveries.of({ run })
    }),
  )
}
