/** What the operator does: accounts, whose key it is, credits. */
import { Account } from "@earmark/core/wire"
import { Effect, Either, Redacted, Schema } from "effect"
import { CreditDesk } from "../useCases/CreditDesk.js"
import { Customers } from "../useCases/Customers.js"
import { Keys } from "../useCases/Keys.js"
import { accountOf, type Door } from "./door.js"

export const accounts = ({ run }: Door) => ({
  create: (account: { readonly name: string; readonly email?: string }) =>
    run(
      Effect.gen(function* () {
        const customers = yield* Customers
        return Schema.encodeSync(Account)(yield* customers.create(account))
      }),
    ),
})

/** The account that a key belongs to; null for one that is not good. */
export const accountOfKey =
  ({ run }: Door) =>
  (value: string) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        const bearer = yield* Effect.either(keys.authenticate(Redacted.make(value)))
        if (Either.isRight(bearer)) return bearer.right.account
        return bearer.left._tag === "Unauthorized" ? null : yield* bearer.left
      }),
    )

/** Credits from the operator; the same reference counts once. */
export const grant =
  ({ run }: Door) =>
  (
    account: string,
    given: { readonly credits: number; readonly reference: string; readonly asPurchase?: boolean },
  ) =>
    run(
      Effect.gen(function* () {
        const desk = yield* CreditDesk
        const owner = yield* accountOf(account)
        return yield* desk.grant(owner, { ...given, asPurchase: given.asPurchase === true })
      }),
    )
