/** What cases are made of. */
import { randomBytes } from "node:crypto"
import {
  AccountId,
  BatchId,
  closedCircuit,
  DeliveryId,
  EndpointId,
  effectiveOptions,
  ID_RANDOM_BYTES,
  type IdKind,
  JobId,
  KeyId,
  makeId,
  PurchaseId,
  ReloadId,
} from "@earmark/core/jobs"
import { IdempotencyKey } from "@earmark/core/requests"
import {
  Accounts,
  ApiKeys,
  type Content,
  type Finished,
  type Guard,
  JobStore,
  type NewBatch,
  type NewJob,
  type NewKey,
  type PaymentOrder,
  type StoredEndpoint,
  WebhookStore,
} from "@earmark/service"
import { Effect } from "effect"
import { StoreClock } from "./Case.js"

export const newId = (kind: IdKind): Effect.Effect<string> =>
  Effect.sync(() => makeId(kind, 0, randomBytes(ID_RANDOM_BYTES)))

const newJobId = Effect.map(newId("job"), (id) => JobId.make(id))
const newBatchId = Effect.map(newId("batch"), (id) => BatchId.make(id))
export const newEndpointId = Effect.map(newId("endpoint"), (id) => EndpointId.make(id))
export const newDeliveryId = Effect.map(newId("delivery"), (id) => DeliveryId.make(id))
export const newKeyId = Effect.map(newId("key"), (id) => KeyId.make(id))
const newPurchaseId = Effect.map(newId("purchase"), (id) => PurchaseId.make(id))
export const newReloadId = Effect.map(newId("reload"), (id) => ReloadId.make(id))

/** Text that nothing else in the store holds. */
export const unique = Effect.map(newId("event"), (id) => id.slice(-16))

export const now = Effect.flatMap(StoreClock, (clock) => clock.now)

export const advance = (seconds: number) =>
  Effect.flatMap(StoreClock, (clock) => clock.advance(seconds * 1000))

export const newAccount = (credits = 60) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const id = AccountId.make(yield* newId("account"))
    const createdAt = yield* now
    yield* accounts.create({ id, name: "Ann", email: null, freeCredits: credits, createdAt })
    return id
  })

export const newJob = (account: AccountId, given: Partial<NewJob> = {}) =>
  Effect.gen(function* () {
    const job: NewJob = {
      id: yield* newJobId,
      account,
      title: null,
      source: {
        shown: { kind: "media", url: "https://media.example.org/talk.mp3" },
        mediaUrl: "https://media.example.org/talk.mp3",
        link: "https://media.example.org/talk.mp3",
        identity: null,
      },
      options: effectiveOptions({}),
      metadata: null,
      key: null,
      durationSeconds: null,
      createdAt: yield* now,
      expiresAt: null,
      hold: 1,
    }
    return { ...job, ...given }
  })

/** A job that is stored and waits for a worker. */
export const createJob = (account: AccountId, given: Partial<NewJob> = {}) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const job = yield* newJob(account, given)
    yield* store.create(job, { guard: null, maxWaiting: null })
    return job
  })

const contentOf = (text: string): Content => ({
  language: "en",
  segments: [
    {
      start: 0,
      end: 900,
      speaker: null,
      text,
      words: [{ text, start: 0, end: 900, confidence: 0.9, speaker: null }],
    },
  ],
  text,
  summary: null,
  chapters: null,
  translation: null,
})

export const finishedWith = (given: Partial<Finished> & { readonly text?: string } = {}): Finished => {
  const { text = "so it goes", ...rest } = given
  return {
    content: contentOf(text),
    origin: "engine",
    engine: "scripted",
    wordTiming: "engine",
    detectedLanguage: { code: "en", confidence: 0.9 },
    durationSeconds: 59,
    wordCount: 3,
    credits: 1,
    billedMinutes: 1,
    minutes: 1,
    enrichment: {},
    integrity: null,
    warnings: [],
    ...rest,
  }
}

/** A job that was done at once. */
export const createDone = (
  account: AccountId,
  given: Partial<NewJob> = {},
  finished = finishedWith({ origin: "captions", engine: null, credits: 0, billedMinutes: 0, minutes: 0 }),
) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const job = yield* newJob(account, { hold: 0, ...given })
    yield* store.createDone(job, finished, { guard: null })
    return job
  })

export const newGuard = (given: Partial<Guard> = {}) =>
  Effect.gen(function* () {
    const guard: Guard = {
      key: IdempotencyKey.make(yield* unique),
      fingerprint: "f1",
      answer: `answer ${yield* unique}`,
      expiresAt: (yield* now) + 86_400_000,
    }
    return { ...guard, ...given }
  })

/** Jobs of a whole feed, newest first, each with its hold. */
export const newBatch = (account: AccountId, holds: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const createdAt = yield* now
    const jobs = yield* Effect.forEach(holds, (hold) => newJob(account, { hold, createdAt }))
    const batch: NewBatch = {
      id: yield* newBatchId,
      account,
      feedUrl: "https://feed.example.org/rss",
      title: "A feed",
      createdAt,
      jobs,
      guard: null,
      maxWaiting: null,
    }
    return batch
  })

export const addEndpoint = (account: AccountId, given: Partial<StoredEndpoint> = {}) =>
  Effect.gen(function* () {
    const webhooks = yield* WebhookStore
    const endpoint: StoredEndpoint = {
      id: yield* newEndpointId,
      account,
      url: "https://hooks.example.org/in",
      description: null,
      events: ["transcription.completed", "transcription.failed"],
      enabled: true,
      disabledReason: null,
      secrets: [{ sealed: "sealed", endsAt: null }],
      circuit: closedCircuit,
      createdAt: yield* now,
      ...given,
    }
    yield* webhooks.createEndpoint(endpoint, { guard: null })
    return endpoint
  })

export const newKey = (account: AccountId, given: Partial<NewKey> = {}) =>
  Effect.gen(function* () {
    const key: NewKey = {
      id: yield* newKeyId,
      account,
      name: "A key",
      hash: new TextEncoder().encode(`${yield* unique}${yield* unique}`),
      prefix: "em_live_",
      last4: "abcd",
      scopes: ["transcriptions:read", "billing:read"],
      expiresAt: null,
      monthlyCredits: null,
      createdAt: yield* now,
    }
    return { ...key, ...given }
  })

export const createKey = (account: AccountId, given: Partial<NewKey> = {}) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const key = yield* newKey(account, given)
    yield* keys.create(key)
    return key
  })

/** What is asked of a provider. */
export const newOrder = (given: Partial<PaymentOrder> = {}) =>
  Effect.gen(function* () {
    const order: PaymentOrder = {
      id: yield* unique,
      provider: "p",
      account: yield* newAccount(0),
      credits: 100,
      money: { amount: 250, currency: "eur" },
      payer: { customer: "cus_1", method: "pm_1" },
      reload: null,
      state: "pending",
      payment: null,
      checkout: null,
      createdAt: yield* now,
    }
    return { ...order, ...given }
  })

/** The same under the id of a purchase. */
export const newPurchase = (given: Partial<PaymentOrder> = {}) =>
  Effect.gen(function* () {
    const id = yield* newPurchaseId
    return { ...(yield* newOrder(given)), id }
  })
