/** How cases send webhooks. */
import type { AccountId, EndpointId } from "@earmark/core/jobs"
import { type AttemptOutcome, type ClaimedDelivery, WebhookStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addEndpoint, createDone, newAccount, now } from "./makers.js"
import { deliveriesOf } from "./working.js"

/** Seconds between the attempts of these cases. */
export const backoff = [5, 300, 1800, 7200, 18_000] as const

const rules = { backoff, random: 0.5, retryAfter: null }

interface Asked {
  readonly want?: number
  readonly perEndpoint?: number
  readonly leaseSeconds?: number
}

const claimAny = ({ want = 1000, perEndpoint = 1000, leaseSeconds = 30 }: Asked) =>
  Effect.flatMap(WebhookStore, (webhooks) =>
    webhooks.claim({ want, perEndpoint, leaseSeconds, unitSeconds: backoff[0] }),
  )

const outcomeOf = (status: number | null, given: Partial<AttemptOutcome> = {}) =>
  Effect.gen(function* () {
    const startedAt = yield* now
    const outcome: AttemptOutcome = {
      startedAt,
      durationMilliseconds: 12,
      status,
      error: status === null ? "refused" : null,
      requestHeaders: { "Service-Event-Type": "transcription.completed" },
      responseHeaders: { server: "test" },
      responseBody: "ok",
    }
    return { ...outcome, ...given }
  })

export const record = (
  claimed: ClaimedDelivery,
  status: number | null,
  given: Partial<AttemptOutcome> & { readonly retryAfter?: number } = {},
) =>
  Effect.gen(function* () {
    const webhooks = yield* WebhookStore
    const { retryAfter = null, ...rest } = given
    return yield* webhooks.record(claimed, yield* outcomeOf(status, rest), { ...rules, retryAfter })
  })

export const reap = Effect.flatMap(WebhookStore, (webhooks) =>
  webhooks.reapExpired(500, { backoff, random: 0.5 }),
)

/** Claims for endpoints of this case; what other cases left behind succeeds. */
export const takeOut = (endpoints: ReadonlyArray<EndpointId>, asked: Asked = {}) =>
  Effect.gen(function* () {
    const mine: Array<ClaimedDelivery> = []
    const want = asked.want ?? 1000
    for (;;) {
      const claimed = yield* claimAny({ ...asked, want: want - mine.length })
      const others = claimed.filter(({ endpoint }) => !endpoints.includes(endpoint.id))
      mine.push(...claimed.filter(({ endpoint }) => endpoints.includes(endpoint.id)))
      yield* Effect.forEach(others, (claim) => record(claim, 200), { discard: true })
      if (others.length === 0) return mine
    }
  })

export const sendAll = Effect.asVoid(takeOut([]))

/** The one due delivery of an endpoint. */
export const takeOutOne = (endpoint: EndpointId, asked: Asked = {}) =>
  Effect.gen(function* () {
    const [claimed, ...more] = yield* takeOut([endpoint], asked)
    if (claimed === undefined || more.length > 0) {
      return yield* Effect.dieMessage(`${claimed === undefined ? "no" : "more than one"} delivery is due`)
    }
    return claimed
  })

/** The one delivery of an endpoint. */
export const onlyDelivery = (account: AccountId, endpoint: EndpointId) =>
  Effect.gen(function* () {
    const [delivery, ...more] = yield* deliveriesOf(account, endpoint)
    assert.deepStrictEqual(more, [])
    return delivery ?? (yield* Effect.dieMessage("there is no delivery"))
  })

export const details = (account: AccountId, endpoint: EndpointId) =>
  Effect.gen(function* () {
    const webhooks = yield* WebhookStore
    const { id } = yield* onlyDelivery(account, endpoint)
    return yield* webhooks.delivery(account, endpoint, id)
  })

/** An endpoint with one delivery that is due. */
export const oneDue = Effect.gen(function* () {
  const account = yield* newAccount()
  const { id: endpoint } = yield* addEndpoint(account)
  const job = yield* createDone(account)
  return { account, endpoint, job }
})
