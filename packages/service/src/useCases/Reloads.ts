import { retryAfterDecline } from "@earmark/core/credits"
import type { AccountId, AccountNotFound } from "@earmark/core/jobs"
import { Clock, Context, Effect, Either, Layer } from "effect"
import { JobQueue } from "../ports/JobQueue.js"
import { Ledger, RELOAD_TAKEN_SECONDS, type Reload } from "../ports/Ledger.js"
import { type PaymentOrder, PaymentStore } from "../ports/PaymentStore.js"
import { type Charge, Payments } from "../ports/Payments.js"
import type { StorageError } from "../ports/StorageError.js"
import { ServiceConfig } from "./ServiceConfig.js"

const PROCESSING_WAIT = 15 * 60_000

const keyOf = ({ attempt, id }: Reload): string => `reload:${id}:${attempt}`

/** Buys credits for accounts that asked for it. At most one charge of an account is in flight. */
export class Reloads extends Context.Tag("@earmark/service/Reloads")<
  Reloads,
  {
    /**
     * Charges the reload that was opened when credits were spent, or that the account's settings ask for now; answers whether the balance
     * went up. What is not decided at once, and what nobody considers, is followed by `chargeDue`.
     */
    readonly consider: (account: AccountId) => Effect.Effect<boolean, AccountNotFound | StorageError>
    /** Charges what is due, and asks again after outcomes that are not known; answers how many. */
    readonly chargeDue: (limit: number) => Effect.Effect<number, StorageError>
  }
>() {
  static readonly layer = Layer.effect(
    Reloads,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const payments = yield* Payments
      const orders = yield* PaymentStore
      const queue = yield* JobQueue
      const { billing } = yield* ServiceConfig

      const record = (reload: Reload, outcome: Partial<Reload>) =>
        ledger.recordReload(reload.id, { ...reload, ...outcome, provider: payments.provider })

      /** Off, with a notice: nothing is charged until the account turns it on again. */
      const switchOff = Effect.fnUntraced(
        function* ({ account, id }: Reload, why: string) {
          const settings = yield* ledger.reloadSettings(account)
          if (settings.enabled) yield* ledger.putReloadSettings(account, { ...settings, enabled: false })
          yield* Effect.logWarning(`Auto-reload is off: ${why}`).pipe(
            Effect.annotateLogs({ account, reload: id }),
          )
        },
        Effect.catchTag("AccountNotFound", Effect.die),
      )

      const afterDecline = Effect.fnUntraced(function* (reload: Reload, payment: string) {
        const now = yield* Clock.currentTimeMillis
        const retryAt = retryAfterDecline({ times: reload.attempt, at: now })
        if (retryAt !== null) {
          yield* record(reload, {
            state: "pending",
            attempt: reload.attempt + 1,
            nextAt: retryAt,
            providerReference: null,
          })
          return
        }
        yield* record(reload, { state: "declined", providerReference: payment })
        yield* switchOff(reload, "the payment was declined for the last time")
      })

      const follow = Effect.fnUntraced(function* (reload: Reload, charge: Charge) {
        const now = yield* Clock.currentTimeMillis
        const providerReference = charge.payment
        switch (charge.state) {
          case "succeeded":
            yield* record(reload, { state: "succeeded", providerReference })
            yield* queue.wakeAccount(reload.account)
            return true
          case "failed":
            yield* afterDecline(reload, charge.payment)
            return false
          case "action_required":
            yield* record(reload, { state: "action_required", providerReference })
            yield* switchOff(reload, "the payment needs somebody present")
            return false
          case "pending":
          case "processing":
            yield* record(reload, { state: "processing", providerReference, nextAt: now + PROCESSING_WAIT })
            return false
        }
      })

      /** A charge that nobody asked for any more is not begun; one that may have been made is asked after. */
      const isWanted = Effect.fnUntraced(function* (reload: Reload) {
        if (reload.state !== "pending") return true
        const settings = yield* ledger
          .reloadSettings(reload.account)
          .pipe(Effect.catchTag("AccountNotFound", Effect.die))
        return settings.enabled
      })

      /** What is asked of the provider in this attempt: the same in every repeat, whatever prices and payers are by then. */
      const orderOf = Effect.fnUntraced(function* (reload: Reload) {
        const { account, amount: credits, attempt, id } = reload
        const { provider } = payments
        return yield* orders.begin({
          id: keyOf(reload),
          provider,
          account,
          credits,
          money: payments.priceOf(credits),
          payer: yield* orders.payer(account, provider),
          reload: { id, attempt },
          state: "pending",
          payment: null,
          checkout: null,
          createdAt: yield* Clock.currentTimeMillis,
        })
      })

      /** A payment that is known is looked at; else it is asked for, again under the same key when that may have been done before. */
      const ask = (reload: Reload, order: PaymentOrder) => {
        const isRepeat = reload.state === "processing"
        if (isRepeat && reload.providerReference !== null) return payments.payment(reload.providerReference)
        const { account, credits, id: key, money, payer } = order
        return payments.charge({ key, account, credits, money, payer, isRepeat })
      }

      const charge = Effect.fn("Reloads.charge")(function* (reload: Reload) {
        if (!(yield* isWanted(reload))) {
          yield* record(reload, { state: "declined" })
          return false
        }
        // Written before the provider is asked, so that whoever comes after a crash asks with the same key.
        const now = yield* Clock.currentTimeMillis
        const asked: Reload = { ...reload, state: "processing", nextAt: now + RELOAD_TAKEN_SECONDS * 1000 }
        yield* record(asked, {})
        const answered = yield* Effect.either(ask(reload, yield* orderOf(reload)))
        if (Either.isLeft(answered)) return false
        yield* orders.follow(keyOf(reload), {
          state: answered.right.state,
          payment: answered.right.payment,
        })
        return yield* follow(asked, answered.right)
      })

      const consider = Effect.fn("Reloads.consider")(function* (account: AccountId) {
        if (!billing) return false
        const taken = yield* ledger.takeReload(account)
        return taken === null ? false : yield* charge(taken)
      })

      const chargeDue = Effect.fn("Reloads.chargeDue")(function* (limit: number) {
        const due = yield* ledger.takeDueReloads(limit)
        yield* Effect.forEach(due, charge, { discard: true })
        return due.length
      })

      return Reloads.of({ consider, chargeDue })
    }),
  )
}
