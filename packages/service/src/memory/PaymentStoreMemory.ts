import { Effect, Either, Layer } from "effect"
import {
  isDecided,
  LOOK_AFTER_SECONDS,
  LOOKED_AFTER_DAYS,
  type PaymentOrder,
  PaymentStore,
} from "../ports/PaymentStore.js"
import { MemoryDatabase } from "./MemoryDatabase.js"
import { pageOf } from "./pages.js"

const payerKey = (account: string, provider: string): string => `${account} ${provider}`

const LOOK_AFTER = LOOK_AFTER_SECONDS * 1000
const LOOKED_AFTER = LOOKED_AFTER_DAYS * 86_400_000

/** A canceled order that is paid all the same was not canceled. */
const mayBecome = (order: PaymentOrder, state: PaymentOrder["state"]): boolean =>
  !isDecided(order) || (order.state === "canceled" && state === "succeeded")

/** When an order is looked at again; null when it is not. */
const nextLook = ({ createdAt }: PaymentOrder, now: number): number | null =>
  now - createdAt > LOOKED_AFTER ? null : now + Math.max(LOOK_AFTER, now - createdAt)

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
      purchase: (account, id) =>
        transact((db) => {
          const order = db.payments.get(id)
          return Either.right(order?.account === account && order.reload === null ? order : null)
        }),
      purchases: ({ account, isOpen }, page) =>
        transact((db) => {
          const wanted = db.payments.filter(
            (order) =>
              order.reload === null &&
              (account === undefined || order.account === account) &&
              (isOpen !== true || !isDecided(order)),
          )
          return Either.right(pageOf(wanted, page))
        }),
      follow: (id, { state, payment }) =>
        transact((db) => {
          const known = db.payments.get(id)
          if (known !== undefined && mayBecome(known, state)) {
            const followed = { ...known, state, payment: payment ?? known.payment }
            db.payments.set(id, followed)
            if (isDecided(followed)) db.paymentLooks.delete(id)
          }
          return Either.void
        }),
      decide: (id, state) =>
        transact((db) => {
          const known = db.payments.get(id)
          if (known?.state !== "pending") return Either.right(known ?? null)
          const decided = { ...known, state }
          db.payments.set(id, decided)
          return Either.right(decided)
        }),
      opened: (id, checkout) =>
        transact((db) => {
          const known = db.payments.get(id)
          if (known === undefined || isDecided(known)) return Either.void
          db.payments.set(id, { ...known, checkout })
          if (known.checkout === null) db.paymentLooks.set(id, { id, at: db.now + LOOK_AFTER })
          return Either.void
        }),
      takeUndecided: (provider, limit) =>
        transact((db) => {
          const due = db.paymentLooks
            .filter(({ at }) => at <= db.now)
            .sort((left, right) => left.at - right.at)
            .flatMap(({ id }) => db.payments.get(id) ?? [])
            .filter((order) => order.provider === provider)
            .slice(0, limit)
          for (const order of due) {
            const at = nextLook(order, db.now)
            if (at === null) db.paymentLooks.delete(order.id)
            else db.paymentLooks.set(order.id, { id: order.id, at })
          }
          return Either.right(due)
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
