import { AccountId } from "@earmark/core/jobs"
import { makeOperations } from "@earmark/service"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { inWorld, newAccount } from "./world.js"

const asked = (account: AccountId) => ({
  caller: { account, scopes: [] },
  context: {},
  path: {},
  query: {},
  body: undefined,
})

it.effect("account.get fails with AccountNotFound for an unknown account", () =>
  Effect.gen(function* () {
    const operations = yield* makeOperations
    const id = yield* newAccount()
    const { answer } = yield* operations["account.get"](asked(id))
    assert.strictEqual(answer.id, id)
    const error = yield* Effect.flip(
      operations["account.get"](asked(AccountId.make("acct_01k9wzq3v8m2x7c4t6n5b0hjd5"))),
    )
    assert.strictEqual(error._tag, "AccountNotFound")
  }).pipe(inWorld()),
)
