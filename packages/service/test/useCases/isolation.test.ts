import { JobId } from "@earmark/core/jobs"
import {
  CreditDesk,
  JobStore,
  Keys,
  Podcasts,
  Purchases,
  type StoredJob,
  Transcriptions,
  Uploads,
  Webhooks,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, Logger, LogLevel, Redacted } from "effect"
import {
  balance,
  create,
  get,
  inWorld,
  newAccount,
  refusal,
  service,
  settle,
  transcribeFeed,
  withDeliveries,
  withWorker,
} from "../world.js"

const page = { limit: 20, order: "desc" } as const

describe("what belongs to another account does not exist", () => {
  it.effect("for every use case that takes an id, and in every list", () =>
    Effect.gen(function* () {
      const ann = yield* newAccount({ paid: true })
      const eve = yield* newAccount({ paid: true })
      const transcriptions = yield* Transcriptions
      const podcasts = yield* Podcasts
      const webhooks = yield* Webhooks
      const uploads = yield* Uploads
      const desk = yield* CreditDesk
      const purchases = yield* Purchases
      const keys = yield* Keys

      const { id } = yield* create(ann, { url: "https://a.example/x.mp3?seconds=60&private" })
      const { batchId } = yield* transcribeFeed(ann, { feed: "https://a.example/feed?seconds=60" })
      const { answer: endpoint } = yield* webhooks.create(ann, { url: "https://hooks.example/in" })
      yield* withWorker(settle)
      yield* withDeliveries(settle)
      const sent = yield* webhooks.deliveries(ann, endpoint.id, page)
      const delivery = sent.data[0]?.id ?? ""
      const key = yield* keys.create(ann, {})
      const { answer: upload } = yield* uploads.create(ann, {
        filename: "a.mp3",
        contentType: "audio/mpeg",
        bytes: 3,
      })

      const { answer: purchase } = yield* purchases.begin(ann, { credits: 5 })

      const refusals: Readonly<
        Record<string, Effect.Effect<unknown, { readonly _tag: string }, Transcriptions>>
      > = {
        get: get(eve, id),
        search: transcriptions.search(eve, id, { q: "the", context: 0, limit: 20 }),
        export: transcriptions.export(eve, id, { format: "txt" }),
        patch: transcriptions.patch(eve, id, { title: "mine" }),
        cancel: transcriptions.cancel(eve, id),
        retry: transcriptions.retry(eve, id),
        remove: transcriptions.remove(eve, id),
        batch: podcasts.batch(eve, batchId),
        retryBatch: podcasts.retryBatch(eve, batchId),
        cancelBatch: podcasts.cancelBatch(eve, batchId),
        endpoint: webhooks.get(eve, endpoint.id),
        patchEndpoint: webhooks.patch(eve, endpoint.id, { enabled: false }),
        removeEndpoint: webhooks.remove(eve, endpoint.id),
        rotate: webhooks.rotate(eve, endpoint.id, { graceSeconds: 0 }),
        test: webhooks.test(eve, endpoint.id),
        deliveries: webhooks.deliveries(eve, endpoint.id, page),
        delivery: webhooks.delivery(eve, endpoint.id, delivery),
        redeliver: webhooks.redeliver(eve, endpoint.id, delivery),
        updateKey: keys.update(eve, key.id, { name: "mine" }),
        revoke: keys.revoke(eve, key.id),
        purchase: purchases.get(eve, purchase.id),
        cancelPurchase: purchases.cancel(eve, purchase.id),
        upload: create(eve, { media_ref: upload.mediaRef }),
      }
      for (const [name, request] of Object.entries(refusals)) {
        const outcome = yield* Effect.either(Effect.asVoid(request))
        const tag = Either.isLeft(outcome) ? outcome.left._tag : "nothing"
        assert.match(tag, /NotFound$|MediaRefUnknown/, name)
      }

      assert.deepStrictEqual((yield* transcriptions.list(eve, page)).data, [])
      const found = yield* transcriptions.searchAll(eve, { q: "the", context: 0, limit: 20 })
      assert.strictEqual(found.total, 0)
      assert.deepStrictEqual((yield* podcasts.batches(eve, page)).data, [])
      assert.deepStrictEqual((yield* webhooks.list(eve, page)).data, [])
      assert.deepStrictEqual((yield* keys.list(eve, page)).data, [])
      assert.deepStrictEqual((yield* purchases.list(eve, page)).data, [])
      const mine = yield* desk.entries(eve, page)
      assert.isTrue(mine.data.every(({ transcriptionId }) => transcriptionId === null))
      assert.deepStrictEqual(yield* balance(eve), { posted: 60, held: 0 })
      assert.strictEqual((yield* get(ann, id)).status, "done")
    }).pipe(inWorld()),
  )

  it.effect("a cursor of one account, or of one list, is none for another", () =>
    Effect.gen(function* () {
      const [ann, eve] = [yield* newAccount(), yield* newAccount()]
      const transcriptions = yield* Transcriptions
      for (const name of ["a", "b"]) yield* create(ann, { url: `https://${name}.example/x.mp3?seconds=60` })
      const { nextCursor } = yield* transcriptions.list(ann, { ...page, limit: 1 })
      const cursor = nextCursor ?? ""
      const second = yield* transcriptions.list(ann, { ...page, limit: 1, cursor })
      assert.strictEqual(second.data.length, 1)
      assert.isFalse(second.hasMore)
      assert.strictEqual(yield* refusal(transcriptions.list(eve, { ...page, cursor })), "CursorInvalid")
      const filtered = transcriptions.list(ann, { ...page, cursor, status: "done" })
      assert.strictEqual(yield* refusal(filtered), "CursorInvalid")
    }).pipe(inWorld()),
  )
})

describe("keys", () => {
  it.effect("a key opens its own account until it is revoked; all that are not good are refused alike", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const keys = yield* Keys
      const { key, id } = yield* keys.create(account, { scopes: ["billing:read"] })
      const bearer = yield* keys.authenticate(Redacted.make(key))
      assert.deepInclude(bearer, { account, scopes: ["billing:read"] })
      yield* keys.revoke(account, id)
      for (const value of [key, `${key}x`, "", "em_live_000000000000000000000000000000000000"]) {
        const refused = yield* Effect.flip(keys.authenticate(Redacted.make(value)))
        assert.strictEqual(refused.message, "A valid API key is needed")
      }
    }).pipe(inWorld()),
  )
})

describe("secrets", () => {
  it.effect("are in no log line, whatever goes wrong", () => {
    const lines: Array<string> = []
    const sink = Logger.make(({ message, cause, annotations }) => {
      lines.push(`${JSON.stringify(message)} ${JSON.stringify(cause)} ${JSON.stringify([...annotations])}`)
    })
    return Effect.gen(function* () {
      const account = yield* newAccount()
      const webhooks = yield* Webhooks
      const keys = yield* Keys
      const { answer: endpoint } = yield* webhooks.create(account, { url: "https://hooks.example/in" })
      const { secret: rotated } = yield* webhooks.rotate(account, endpoint.id, { graceSeconds: 60 })
      const { key } = yield* keys.create(account, {})
      yield* keys.authenticate(Redacted.make(key))
      yield* create(account, { url: "https://a.example/x.mp3?seconds=60" })
      yield* create(account, { url: "https://a.example/y.mp3?seconds=60&broken=engine_error&transient" })
      yield* withWorker(settle)
      yield* withDeliveries(settle)
      assert.isNotEmpty(lines)
      const text = lines.join("\n")
      // As text: the base64 of a secret may hold what a regular expression takes for its own.
      for (const hidden of [endpoint.secret, rotated, key]) assert.notInclude(text, hidden)
      assert.notMatch(text, /v1=[0-9a-f]{64}/)
    }).pipe(
      Effect.provide(service({ engine: { crash: 1 }, receiver: () => ({ error: "tls" }) })),
      Effect.provide(
        Layer.merge(Logger.replace(Logger.defaultLogger, sink), Logger.minimumLogLevel(LogLevel.All)),
      ),
    )
  })

  it.effect("are sealed before a store sees them, and an answer kept for repeats gives them back", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const webhooks = yield* Webhooks
      const { answer } = yield* webhooks.create(account, { url: "https://hooks.example/in" })
      const listed = yield* webhooks.list(account, page)
      assert.notInclude(JSON.stringify(listed), answer.secret)
    }).pipe(inWorld()),
  )

  it.effect("logins in addresses are sealed too, and the worker opens them", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const jobs = yield* JobStore
      const site = "https://ann:hidden-word@a.example"
      const { id: media } = yield* create(account, { url: `${site}/x.mp3?seconds=60` })
      const { id: later } = yield* create(account, { url: `${site}/y.mp3?seconds=60&later` })
      const batch = yield* transcribeFeed(account, { feed: `${site}/feed?episodes=1&seconds=60` })
      const kept = () =>
        Effect.forEach([media, later, ...batch.transcriptions.map(({ id }) => id)], (id) =>
          jobs.get(account, JobId.make(id)),
        )
      // What a scripted source shows and is known by is its whole address; what the worker works with is sealed.
      const addresses = (stored: ReadonlyArray<StoredJob>) =>
        JSON.stringify(stored.map(({ source: { mediaUrl, link, facts } }) => [mediaUrl, link, facts]))
      assert.notInclude(addresses(yield* kept()), "hidden-word")
      assert.include(addresses(yield* kept()), "sealed:")
      yield* withWorker(settle)
      const after = yield* kept()
      assert.notInclude(addresses(after), "hidden-word")
      const [first, , episode] = after
      assert.deepInclude(first, { durationSeconds: 60 })
      assert.strictEqual(first?.state.status, "done")
      assert.strictEqual(episode?.state.status, "done")
    }).pipe(inWorld()),
  )
})
