/** How cases read and work. */
import { type AccountId, type EndpointId, type JobId, warningOf } from "@earmark/core/jobs"
import { type Claimed, JobQueue, JobStore, Ledger, type Span, WebhookStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"

interface Asked {
  readonly want?: number
  readonly cap?: number
  readonly leaseSeconds?: number
}

export const claim = ({ want = 1000, cap = 1000, leaseSeconds = 60 }: Asked = {}) =>
  Effect.flatMap(JobQueue, (queue) => queue.claim({ worker: "w", want, cap, leaseSeconds }))

const abandon = (claimed: Claimed) =>
  Effect.flatMap(JobQueue, (queue) => queue.fail(claimed.lease, { code: "canceled", retryInSeconds: null }))

/** Claims for accounts of this case; what other cases left behind is ended. */
export const takeUp = (accounts: ReadonlyArray<AccountId>, asked: Asked = {}) =>
  Effect.gen(function* () {
    const mine: Array<Claimed> = []
    const want = asked.want ?? 1000
    for (;;) {
      const claimed = yield* claim({ ...asked, want: want - mine.length })
      const others = claimed.filter(({ job }) => !accounts.includes(job.account))
      mine.push(...claimed.filter(({ job }) => accounts.includes(job.account)))
      yield* Effect.forEach(others, abandon, { discard: true })
      if (others.length === 0) return mine
    }
  })

/** Ends everything that other cases left in the queue. */
export const drain = Effect.asVoid(takeUp([]))

/** The one claimable job of an account. */
export const takeOne = (account: AccountId, asked: Asked = {}) =>
  Effect.gen(function* () {
    const [claimed, ...more] = yield* takeUp([account], asked)
    if (claimed === undefined || more.length > 0) {
      return yield* Effect.dieMessage(`${claimed === undefined ? "no job" : "several jobs"} to take up`)
    }
    return claimed
  })

export const getJob = (account: AccountId, id: JobId) =>
  Effect.flatMap(JobStore, (store) => store.get(account, id))

export const balanceOf = (account: AccountId) =>
  Effect.map(
    Effect.flatMap(Ledger, (ledger) => ledger.balance(account)),
    ({ posted, held, floor }) => ({ posted, held, floor }),
  )

export const linesOf = (account: AccountId) =>
  Effect.map(
    Effect.flatMap(Ledger, (ledger) => ledger.entries(account, { limit: 1000, after: null })),
    ({ items }) => items,
  )

export const deliveriesOf = (account: AccountId, endpoint: EndpointId) =>
  Effect.map(
    Effect.flatMap(WebhookStore, (webhooks) =>
      webhooks.deliveries(account, endpoint, { limit: 1000, after: null }),
    ),
    ({ items }) => items,
  )

/** The ids of the events that went to an endpoint. */
export const eventsTo = (account: AccountId, endpoint: EndpointId) =>
  Effect.map(deliveriesOf(account, endpoint), (deliveries) => deliveries.map(({ eventId }) => eventId).sort())

/** The books are right, over the whole store. */
export const booksAreRight = Effect.gen(function* () {
  const ledger = yield* Ledger
  assert.deepStrictEqual(yield* ledger.verify, [])
})

interface Tagged {
  readonly _tag: string
}

/** The tag of the error that an effect fails with. */
export const refusal = <R>(effect: Effect.Effect<unknown, Tagged, R>) =>
  Effect.map(Effect.flip(Effect.asVoid(effect)), (error) => error._tag)

export const isLost = <R>(effect: Effect.Effect<unknown, Tagged, R>) =>
  Effect.map(refusal(effect), (tag) => tag === "LeaseLost")

export const succeeds = <R>(effect: Effect.Effect<unknown, Tagged, R>) =>
  Effect.map(Effect.exit(Effect.asVoid(effect)), Exit.isSuccess)

/** Runs something many times at once. */
export const racing = <A, E, R>(times: number, effect: (index: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(
    Array.from({ length: times }, (_, index) => index),
    effect,
    { concurrency: "unbounded" },
  )

export const plain = { cacheKeys: [], shared: false } as const

export const span = (index: number, text = "word"): Span => ({
  index,
  start: index * 1000,
  end: index * 1000 + 900,
  words: [{ text, start: index * 1000, end: index * 1000 + 500, confidence: 0.5, speaker: null }],
  // An engine that says nothing beside its words leaves no notes.
  ...(index % 2 === 0 && {
    notes: { language: { code: "en", confidence: 0.5 }, warnings: [warningOf("no_confidence")] },
  }),
})
