/** What the operator does: accounts, whose key it is, credits. */
import { Account, decodeRequest } from "@earmark/core/wire"
import { Effect, Either, Redacted, Schema } from "effect"
import { described, Email, Minutes, Name, optional } from "../administration/operations.js"
import { CreditDesk } from "../useCases/CreditDesk.js"
import { Customers } from "../useCases/Customers.js"
import { Keys } from "../useCases/Keys.js"
import { accountOf, type Door } from "./door.js"

const readAccount = decodeRequest(Schema.Struct({ name: Name, email: optional(Email) }))

export const accounts = ({ run }: Door) => ({
  create: (account: { readonly name: string; readonly email?: string }) =>
    run(
      Effect.gen(function* () {
        const customers = yield* Customers
        return Schema.encodeSync(Account)(yield* customers.create(yield* readAccount(account)))
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

const readGrant = decodeRequest(
  Schema.Struct({
    credits: Minutes,
    reference: described(/^[^\p{Cc}]{1,200}$/u, "a text of 1 to 200 characters on one line"),
    asPurchase: Schema.optionalWith(Schema.Boolean, { default: () => false }),
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
        return yield* desk.grant(owner, yield* readGrant(given))
      }),
    )
