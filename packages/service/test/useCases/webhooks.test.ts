import { type PlainHttp, parseCidrList } from "@earmark/core/links"
import { IdempotencyKey } from "@earmark/core/requests"
import type { Endpoint } from "@earmark/core/wire"
import { Webhooks } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect, Either, TestClock } from "effect"
import { inWorld, newAccount } from "../world.js"

describe("webhook endpoints", () => {
  it.effect("a test of one that is switched off is sent, and says that it is", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const webhooks = yield* Webhooks
      const { answer } = yield* webhooks.create(account, { url: "https://example.com/hook" })
      const on = yield* webhooks.test(account, answer.id)
      assert.deepInclude(on, { state: "pending", endpointEnabled: true })
      assert.notProperty(on, "note")
      yield* webhooks.patch(account, answer.id, { enabled: false })
      const off = yield* webhooks.test(account, answer.id)
      assert.deepInclude(off, { state: "pending", endpointEnabled: false })
      assert.match(off.note ?? "", /^The endpoint is disabled: .* Enable it with PATCH/)
    }).pipe(inWorld()),
  )

  it.effect("it says until when the secret before signs as well, which can be ended at once", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const webhooks = yield* Webhooks
      const { answer } = yield* webhooks.create(account, { url: "https://example.com/hook" })
      assert.isNull(answer.previousSecretValidUntil)
      const end = (yield* Clock.currentTimeMillis) + 60_000
      const until = ({ previousSecretValidUntil }: Endpoint) =>
        previousSecretValidUntil === null ? null : DateTime.toEpochMillis(previousSecretValidUntil)
      assert.strictEqual(until(yield* webhooks.rotate(account, answer.id, { graceSeconds: 60 })), end)
      assert.strictEqual(until(yield* webhooks.get(account, answer.id)), end)
      const { data } = yield* webhooks.list(account, { limit: 10, order: "desc" })
      assert.deepStrictEqual(data.map(until), [end])
      assert.strictEqual(until(yield* webhooks.patch(account, answer.id, { description: "mine" })), end)
      assert.isNull(until(yield* webhooks.patch(account, answer.id, { previousSecretValidUntil: null })))
      assert.isNull(until(yield* webhooks.get(account, answer.id)))
      yield* webhooks.rotate(account, answer.id, { graceSeconds: 5 })
      yield* TestClock.adjust("5 seconds")
      assert.isNull(until(yield* webhooks.get(account, answer.id)))
    }).pipe(inWorld()),
  )

  it.effect("an account has a hundred of them, and a repeated request is answered as before", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const webhooks = yield* Webhooks
      const create = (index: number) =>
        webhooks.create(
          account,
          { url: `https://example.com/${index}` },
          { idempotencyKey: IdempotencyKey.make(`k${index}`) },
        )
      const [first] = yield* Effect.forEach(Array.from({ length: 100 }), (_, index) => create(index))
      const refused = yield* Effect.flip(create(100))
      assert.deepInclude(refused, {
        _tag: "RequestRefused",
        code: "invalid_request",
        detail: "An account has at most 100 webhook endpoints. Remove one that is not needed any more.",
      })
      assert.deepInclude(yield* create(0), { replayed: true })
      yield* webhooks.remove(account, first?.answer.id ?? "")
      assert.deepInclude(yield* create(101), { replayed: false })
      assert.deepInclude(yield* webhooks.create(yield* newAccount(), { url: "https://example.com" }), {
        replayed: false,
      })
    }).pipe(inWorld()),
  )

  for (const [httpWebhooks, taken] of [
    ["allowed", ["http://127.0.0.1:1/", "http://[::1]:1/"]],
    ["on", ["http://127.0.0.1:1/", "http://[::1]:1/", "http://[3ffe::1]/", "http://example.com/"]],
    ["off", []],
  ] satisfies ReadonlyArray<[PlainHttp, ReadonlyArray<string>]>)
    it.effect(`plain http, ${httpWebhooks}, is taken for ${taken.join(" and ") || "no address"}`, () =>
      Effect.gen(function* () {
        const account = yield* newAccount()
        const webhooks = yield* Webhooks
        const { answer } = yield* webhooks.create(account, { url: "https://example.com/hook" })
        const create = (url: string) => webhooks.create(account, { url })
        const patch = (url: string) => webhooks.patch(account, answer.id, { url })
        // 3ffe::/16 was given back: public in form, and no one is there.
        const urls = [
          "http://127.0.0.1:1/",
          "http://[::1]:1/",
          "http://[3ffe::1]/",
          "http://example.com/",
          "http://127.0.0.2:1/",
        ]
        const asks: ReadonlyArray<(url: string) => Effect.Effect<unknown, unknown>> = [create, patch]
        for (const ask of asks) {
          const answers = yield* Effect.forEach(urls, (url) =>
            Effect.map(Effect.either(ask(url)), (made) => (Either.isRight(made) ? [url] : [])),
          )
          assert.deepStrictEqual(answers.flat(), taken)
        }
      }).pipe(
        inWorld({
          config: { httpWebhooks, egressAllow: Either.getOrThrow(parseCidrList("127.0.0.1/32, ::1")) },
        }),
      ),
    )
})
