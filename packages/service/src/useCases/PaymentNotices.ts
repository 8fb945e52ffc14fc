import { Context, Effect, Layer } from "effect"
import { JobQueue } from "../ports/JobQueue.js"
import { Ledger } from "../ports/Ledger.js"
import { type PaymentOrder, PaymentStore } from "../ports/PaymentStore.js"
import {
  type CheckoutFacts,
  type NoticeInvalid,
  type PaymentFacts,
  type PaymentReturn,
  Payments,
  type PaymentUnknown,
} from "../ports/Payments.js"
import type { StorageError } from "../ports/StorageError.js"

interface ArrivedNotice {
  readonly raw: Uint8Array
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

type Failure = NoticeInvalid | PaymentUnknown | StorageError

/**
 * What a provider tells. A notice says only which payment or page to look at: that is then asked for, so that notices may come twice, late
 * and in any order. Credits are added once for a payment, and taken back once for a refund or a dispute.
 */
export class PaymentNotices extends Context.Tag("@earmark/service/PaymentNotices")<
  PaymentNotices,
  {
    /** Whose notices are taken here. */
    readonly provider: string
    /** A failure means: tell again. What is not about us is taken, and changes nothing. */
    readonly receive: (notice: ArrivedNotice) => Effect.Effect<void, Failure>
    /** Asks after purchases of which no notice has come, so that what was paid is never lost; answers how many. */
    readonly askAfter: (limit: number) => Effect.Effect<number, StorageError>
  }
>() {
  static readonly layer = Layer.effect(
    PaymentNotices,
    Effect.gen(function* () {
      const payments = yield* Payments
      const orders = yield* PaymentStore
      const ledger = yield* Ledger
      const queue = yield* JobQueue
      const { provider } = payments

      const addCredits = Effect.fnUntraced(function* (order: PaymentOrder, facts: PaymentFacts) {
        const { account, credits: amount, reload } = order
        const { payment } = facts
        if (reload !== null) {
          const { id, attempt } = reload
          const outcome = { attempt, state: "succeeded", providerReference: payment, nextAt: 0 } as const
          yield* ledger.recordReload(id, { ...outcome, provider })
        }
        // The same for a reload: one that was given up before is paid all the same.
        const kind = reload === null ? "purchase" : "reload"
        yield* ledger.topUp(account, { amount, provider, payment, kind })
        if (reload === null && facts.payer !== null) {
          yield* orders.putPayer(account, provider, facts.payer)
        }
        yield* queue.wakeAccount(account)
      })

      const takeBack = Effect.fnUntraced(function* (order: PaymentOrder, returned: PaymentReturn) {
        const { account } = order
        const credits = creditsOf(order, returned.amount)
        if (credits === 0) return
        const reference = `${provider}:${returned.id}`
        yield* ledger.refund(account, credits, reference)
        // Both, in this order, whatever was told before: a refund that failed is one that was made and came to nothing.
        if (returned.isUndone) {
          yield* ledger
            .adjust(account, credits, `${reference}:undone`)
            .pipe(Effect.catchTag("OutOfCredits", Effect.die))
          yield* queue.wakeAccount(account)
        }
        if (returned.kind === "dispute" && !returned.isUndone) {
          const settings = yield* ledger.reloadSettings(account)
          if (settings.enabled) yield* ledger.putReloadSettings(account, { ...settings, enabled: false })
          yield* Effect.logWarning(
            "A payment is disputed: its credits are taken back, and auto-reload is off",
          )
        }
      })

      const follow = Effect.fnUntraced(function* (
        order: PaymentOrder,
        facts: PaymentFacts,
        hasReturns: boolean,
      ) {
        if (facts.state === "succeeded") yield* addCredits(order, facts)
        yield* orders.follow(order.id, facts)
        if (!hasReturns || facts.state !== "succeeded") return
        const returns = yield* payments.returns(facts.payment)
        yield* Effect.forEach(returns, (returned) => takeBack(order, returned), { discard: true })
      })

      /** The order that the provider says something is for; null where it is none of ours. */
      const orderedHere = Effect.fnUntraced(function* (id: string | null) {
        if (id === null) return null
        const order = yield* orders.get(id)
        if (order?.provider === provider) return order
        yield* Effect.logInfo("A notice is about a payment that was not asked for here")
        return null
      })

      const look = Effect.fnUntraced(
        function* (payment: string, hasReturns: boolean) {
          const facts = yield* payments.payment(payment)
          const order = yield* orderedHere(facts.order)
          if (order === null) return
          const followed = isAsAsked(order, facts)
            ? follow(order, facts, hasReturns)
            : Effect.logError("A payment is not as it was asked for, and adds no credits")
          yield* Effect.annotateLogs(followed, whoseOf(order))
        },
        // An order without its account cannot be: it was written down for one.
        Effect.catchTag("AccountNotFound", Effect.die),
        (looked, payment) => Effect.annotateLogs(looked, { payment }),
      )

      /** A purchase whose page expired is over; a payment that comes all the same still adds its credits. */
      const followPage = Effect.fnUntraced(function* (order: PaymentOrder, page: CheckoutFacts | null) {
        const payment = order.payment ?? page?.payment ?? null
        if (payment !== null) yield* look(payment, true)
        if (page?.isExpired === true) yield* orders.follow(order.id, { state: "canceled", payment: null })
      })

      const lookAtPage = Effect.fnUntraced(function* (checkout: string) {
        const page = yield* payments.page(checkout)
        const order = yield* orderedHere(page.order)
        // A repeat of the purchase may have opened another page since.
        if (order === null || (order.checkout ?? checkout) !== checkout) return
        yield* followPage(order, page)
      })

      const receive = Effect.fn("PaymentNotices.receive")(function* (arrived: ArrivedNotice) {
        const notice = yield* payments.readNotice(arrived)
        if (notice === null) return
        yield* notice.about === "payment"
          ? look(notice.payment, notice.hasReturns)
          : lookAtPage(notice.checkout)
      })

      const lookAfter = Effect.fnUntraced(function* (order: PaymentOrder) {
        const { checkout, id } = order
        yield* followPage(order, checkout === null ? null : yield* payments.page(checkout))
        const now = yield* orders.get(id)
        if (now?.state === "succeeded") {
          yield* Effect.logWarning("A purchase was paid, and no notice told of it").pipe(
            Effect.annotateLogs({ purchase: id }),
          )
        }
      })

      const askAfter = Effect.fn("PaymentNotices.askAfter")(function* (limit: number) {
        const undecided = yield* orders.takeUndecided(provider, limit)
        yield* Effect.forEach(
          undecided,
          (order) =>
            Effect.catchTag(lookAfter(order), "PaymentUnknown", (error) =>
              Effect.logDebug("The provider does not tell of a purchase", error),
            ),
          { discard: true },
        )
        return undecided.length
      })

      return PaymentNotices.of({ provider, receive, askAfter })
    }),
  )
}

/** Whose payment it is, for the log. */
const whoseOf = ({ account, id, reload }: PaymentOrder) =>
  reload === null ? { account, purchase: id } : { account, reload: reload.id }

const isAsAsked = ({ money, payment }: PaymentOrder, facts: PaymentFacts): boolean =>
  money !== null &&
  money.amount === facts.money.amount &&
  money.currency === facts.money.currency &&
  (payment === null || payment === facts.payment)

/** The credits of a part of the money, to the nearest whole one. */
const creditsOf = ({ credits, money }: PaymentOrder, amount: number): number =>
  money === null ? 0 : Math.min(credits, Math.round((credits * amount) / money.amount))
