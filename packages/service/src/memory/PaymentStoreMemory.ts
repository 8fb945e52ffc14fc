import { Effect, Either, Layer } from "effect"
import { PaymentStore } from "../ports/PaymentStore.js"
import { MemoryDatabase } from "./MemoryDatabase.js"

const payerKey = (account: string, provider: string): string => `${account} ${provider}`

export const layer = Layer.effect(
  PaymentStore,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    return PaymentStore.of({
      begin: (order) =>
        transact((db) => {
          const known = db.payments.get(order.id)
          if (known !== undefined) return Either.right(known)
          db.payments.set(order.id, order)
          return Either.right(order)
        }),
      get: (id) => transact((db) => Either.right(db.payments.get(id) ?? null)),
      follow: (id, { state, payment }) =>
        transact((db) => {
          const known = db.payments.get(id)
          if (known !== undefined && known.state !== "succeeded") {
            db.payments.set(id, { ...known, state, payment: payment ?? known.payment })
          }
          return Either.void
        }),
      payer: (account, provider) =>
        transact((db) => Either.right(db.payers.get(payerKey(account, provider)) ?? null)),
      putPayer: (account, provider, payer) =>
        transact((db) => {
          db.payers.set(payerKey(account, provider), payer)
          return Either.void
        }),
    })
  }),
)
