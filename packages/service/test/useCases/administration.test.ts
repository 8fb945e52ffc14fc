import { assert, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { Administration } from "../../src/administration/Administration.js"
import { operations } from "../../src/administration/operations.js"
import { Earmark, PaymentsManual, Secrets, ServiceConfig, StoreMemory } from "../../src/index.js"

const administration = Earmark.administration.pipe(
  Layer.provide(
    Layer.mergeAll(StoreMemory.layer, PaymentsManual.layer, ServiceConfig.layer(), Secrets.layerEphemeral),
  ),
)

layer(administration)("an operator", (it) => {
  it.effect("is refused a key that is over already, and is given one that is not", () =>
    Effect.gen(function* () {
      const { id: account } = yield* Administration.ask(operations.createAccount, { name: "ann" })
      // The clock of tests stands at the beginning of 1970.
      const over = { account, expires_at: "1969-12-31" }
      const refused = yield* Effect.flip(Administration.ask(operations.createKey, over))
      assert.deepEqual([refused.code, refused.message], ["invalid_request", "expires_at has passed already."])
      const key = yield* Administration.ask(operations.createKey, { account, expires_at: "1970-01-02" })
      assert.match(key.key, /^em_live_/)
    }),
  )

  it.effect("signs in to the first account, unless another one is named", () =>
    Effect.gen(function* () {
      const { id: first } = yield* Administration.ask(operations.createAccount, { name: "first" })
      yield* TestClock.adjust("1 minute")
      const { id: second } = yield* Administration.ask(operations.createAccount, { name: "second" })
      assert.strictEqual((yield* Administration.ask(operations.makeSignInLink, {})).account, first)
      const named = yield* Administration.ask(operations.makeSignInLink, { account: second })
      assert.strictEqual(named.account, second)
    }).pipe(Effect.provide(administration)),
  )

  it.effect("creates one account for an email address, and is told which has it", () =>
    Effect.gen(function* () {
      const asked = { email: "ann@example.org" }
      const { id } = yield* Administration.ask(operations.createAccount, asked)
      for (const email of ["ann@example.org", "Ann@Example.org"]) {
        const refused = yield* Effect.flip(
          Administration.ask(operations.createAccount, { name: "Ann", email }),
        )
        assert.deepEqual(
          [refused.code, refused.message],
          ["email_taken", `The account ${id} has the email address "${email}" already.`],
        )
      }
      yield* Administration.ask(operations.createAccount, { email: "ben@example.org" })
    }).pipe(Effect.provide(administration)),
  )

  it.effect("is told which minutes cannot be granted, and which can", () =>
    Effect.gen(function* () {
      const { id: account } = yield* Administration.ask(operations.createAccount, { name: "ben" })
      for (const minutes of [5_000_000_000_000, 0]) {
        const refused = yield* Effect.flip(Administration.ask(operations.grantCredits, { account, minutes }))
        assert.match(
          refused.message,
          new RegExp(`^minutes: ${minutes} cannot be: give a whole number from 1 to 10000000, or`),
        )
      }
    }),
  )
})
