import { IdempotencyKey } from "@earmark/core/requests"
import { Webhooks } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
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
})
