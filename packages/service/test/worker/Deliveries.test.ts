import { type AccountId, DEFAULT_BACKOFF } from "@earmark/core/jobs"
import { verifyWebhook } from "@earmark/core/signing"
import { type Received, ScriptedReceiver, Webhooks } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Either } from "effect"
import { create, inWorld, newAccount, pass, settle, withDeliveries, withWorker } from "../world.js"

const received = Effect.flatMap(ScriptedReceiver, (receiver) => receiver.received)

const rare = { pollEvery: Duration.seconds(2) }

/** An account whose one job has ended, with an endpoint that is told. */
const endedJob = (url = "https://hooks.example/in") =>
  Effect.gen(function* () {
    const account = yield* newAccount()
    const webhooks = yield* Webhooks
    const { answer: endpoint } = yield* webhooks.create(account, { url })
    const { id } = yield* create(account, { url: "https://a.example/x.mp3?seconds=60" })
    yield* withWorker(settle)
    return { account, endpoint, id }
  })

const isSignedWith = ({ headers, body, at }: Received, secret: string): boolean =>
  Either.isRight(
    verifyWebhook({
      raw: body,
      header: headers["Service-Signature"] ?? "",
      secrets: [secret],
      now: Math.floor(at / 1000),
    }),
  )

describe("deliveries", () => {
  /** Lets time pass to the moment the next attempt is due, and not a second more. */
  const nextAttempt = (account: AccountId, endpoint: string) =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { data } = yield* webhooks.deliveries(account, endpoint, { limit: 20, order: "desc" })
      const at = data[0]?.nextAt
      if (at === undefined || at === null) return data[0]?.state
      yield* pass(DateTime.distance(yield* DateTime.now, at) - 1)
      yield* withDeliveries(settle)
      const before = (yield* received).length
      yield* pass(1)
      yield* withDeliveries(settle)
      assert.strictEqual((yield* received).length, before + 1)
      return "delivered"
    })

  for (const failures of [0, 1, 3, 5]) {
    it.effect(
      `a receiver that fails ${failures} times gets the same bytes on schedule, each freshly signed`,
      () =>
        Effect.gen(function* () {
          const { account, endpoint, id } = yield* endedJob()
          yield* withDeliveries(settle)
          for (let index = 0; index < failures; index++) yield* nextAttempt(account, endpoint.id)
          const attempts = yield* received
          assert.strictEqual(attempts.length, failures + 1)
          for (const [index, attempt] of attempts.entries()) {
            const wait = (attempt.at - (attempts[index - 1]?.at ?? attempt.at)) / 1000
            const due = index === 0 ? 0 : (DEFAULT_BACKOFF[index - 1] ?? 0)
            assert.isAtLeast(wait, due * 0.8)
            assert.isAtMost(wait, due * 1.2)
            assert.strictEqual(attempt.body, attempts[0]?.body)
            assert.strictEqual(attempt.headers["Service-Event-Id"], `${id}.done`)
            assert.match(
              attempt.headers["Service-Signature"] ?? "",
              new RegExp(`^t=${Math.floor(attempt.at / 1000)},v1=`),
            )
            assert.isTrue(isSignedWith(attempt, endpoint.secret))
          }
          const webhooks = yield* Webhooks
          const { data } = yield* webhooks.deliveries(account, endpoint.id, { limit: 20, order: "desc" })
          assert.deepInclude(data[0], { state: "succeeded", attempts: failures + 1, lastStatus: 200 })
        }).pipe(
          inWorld({ delivery: rare, receiver: (_, times) => ({ status: times < failures ? 500 : 200 }) }),
        ),
    )
  }

  it.effect("a receiver that always fails is tried six times, and no more", () =>
    Effect.gen(function* () {
      const { account, endpoint } = yield* endedJob()
      yield* withDeliveries(settle)
      for (let index = 0; index < 5; index++) yield* nextAttempt(account, endpoint.id)
      assert.strictEqual(yield* nextAttempt(account, endpoint.id), "failed")
      yield* pass("2 days")
      yield* withDeliveries(settle)
      assert.strictEqual((yield* received).length, 6)
      const webhooks = yield* Webhooks
      const { data } = yield* webhooks.deliveries(account, endpoint.id, { limit: 20, order: "desc" })
      assert.deepInclude(data[0], { state: "failed", attempts: 6 })
      const log = yield* webhooks.delivery(account, endpoint.id, data[0]?.id ?? "")
      assert.deepStrictEqual(
        log.attemptLog.map(({ status }) => status),
        [500, 500, 500, 500, 500, 500],
      )
      for (const { requestHeaders } of log.attemptLog) {
        assert.match(requestHeaders["Service-Signature"] ?? "", /v1=\*\*\*$/)
      }
    }).pipe(inWorld({ delivery: rare, receiver: () => ({ status: 500 }) })),
  )

  it.effect("a secret that was handed out is good, however many rotations race", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const webhooks = yield* Webhooks
      const { answer } = yield* webhooks.create(account, { url: "https://hooks.example/in" })
      const results = yield* Effect.all(
        Array.from({ length: 10 }, () =>
          Effect.either(webhooks.rotate(account, answer.id, { graceSeconds: 60 })),
        ),
        { concurrency: "unbounded" },
      )
      const handedOut = results.filter(Either.isRight).map(({ right }) => right.secret)
      yield* create(account, { url: "https://a.example/x.mp3?seconds=60" })
      yield* withWorker(settle)
      yield* withDeliveries(settle)
      const [sent] = yield* received
      if (sent === undefined) return assert.fail("nothing was sent")
      assert.isAtLeast(handedOut.length, 1)
      for (const secret of [answer.secret, ...handedOut]) {
        assert.isTrue(isSignedWith(sent, secret))
      }
    }).pipe(inWorld()),
  )

  it.effect("a secret rotated in mid-retry signs first, beside the one before until its grace is over", () =>
    Effect.gen(function* () {
      const { account, endpoint } = yield* endedJob()
      const webhooks = yield* Webhooks
      let rotated = ""
      yield* withDeliveries(
        Effect.gen(function* () {
          yield* settle
          const { secret } = yield* webhooks.rotate(account, endpoint.id, { graceSeconds: 60 })
          rotated = secret
          yield* pass("8 seconds")
          yield* pass("7 minutes")
        }),
      )
      const [first, second, third] = yield* received
      if (first === undefined || second === undefined || third === undefined) return assert.fail("too few")
      const signed = (attempt: Received) =>
        [endpoint.secret, rotated].map((secret) => isSignedWith(attempt, secret))
      assert.deepStrictEqual([first, second, third].map(signed), [
        [true, false],
        [true, true],
        [false, true],
      ])
      assert.strictEqual(second.headers["Service-Signature"]?.split("v1=").length, 3)
    }).pipe(inWorld({ delivery: rare, receiver: () => ({ status: 500 }) })),
  )

  it.effect("an endpoint that never answers keeps nothing from one that does", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const webhooks = yield* Webhooks
      yield* webhooks.create(account, { url: "https://silent.example/in" })
      yield* webhooks.create(account, { url: "https://quick.example/in" })
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n),
        (n) => create(account, { url: `https://a.example/${n}.mp3?seconds=60` }),
      )
      yield* withWorker(settle)
      const began = (yield* received).length
      assert.strictEqual(began, 0)
      yield* withDeliveries(
        Effect.gen(function* () {
          yield* settle
          const quick = (yield* received).filter(({ url }) => url.includes("quick"))
          assert.strictEqual(quick.length, 20)
          assert.deepStrictEqual(new Set(quick.map(({ at }) => at)).size, 1)
          const silent = (yield* received).filter(({ url }) => url.includes("silent"))
          assert.strictEqual(silent.length, 4)
        }),
      )
    }).pipe(
      inWorld({
        delivery: { slots: 8, ...rare },
        receiver: ({ url }) => (url.includes("silent") ? "silence" : { status: 200 }),
      }),
    ),
  )

  it.effect("410 disables the endpoint; a test and a redelivery go to it all the same", () =>
    Effect.gen(function* () {
      const { account, endpoint, id } = yield* endedJob()
      const webhooks = yield* Webhooks
      yield* withDeliveries(settle)
      assert.deepInclude(yield* webhooks.get(account, endpoint.id), {
        enabled: false,
        disabledReason: "gone",
      })
      const { data } = yield* webhooks.deliveries(account, endpoint.id, { limit: 20, order: "desc" })
      yield* webhooks.redeliver(account, endpoint.id, data[0]?.id ?? "")
      yield* webhooks.test(account, endpoint.id)
      yield* withDeliveries(settle)
      const sent = yield* received
      assert.deepStrictEqual(sent.map(({ headers }) => headers["Service-Event-Type"]).sort(), [
        "transcription.completed",
        "transcription.completed",
        "webhook.test",
      ])
      assert.strictEqual(sent[1]?.headers["Service-Event-Id"] ?? "", `${id}.done`)
    }).pipe(inWorld({ delivery: rare, receiver: (_, times) => ({ status: times === 0 ? 410 : 200 }) })),
  )

  it.effect("an address that is private, or not https, is refused", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const webhooks = yield* Webhooks
      for (const url of [
        "http://hooks.example/in",
        "https://127.0.0.1/in",
        "https://[::1]/in",
        "https://10.1.2.3/in",
      ]) {
        const refused = yield* Effect.flip(webhooks.create(account, { url }))
        assert.strictEqual(refused._tag, "RequestRefused")
      }
    }).pipe(inWorld()),
  )
})
