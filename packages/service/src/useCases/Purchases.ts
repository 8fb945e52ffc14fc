import {
  type AccountId,
  type AccountNotFound,
  PurchaseId,
  PurchaseNotFound,
  parseId,
} from "@earmark/core/jobs"
import { CursorInvalid } from "@earmark/core/requests"
import { type CreatePurchase, type OperatorPurchase, type PageQuery, Purchase } from "@earmark/core/wire"
import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import * as FoundOnce from "../FoundOnce.js"
import { Accounts } from "../ports/Accounts.js"
import { Idempotency } from "../ports/Idempotency.js"
import { JobQueue } from "../ports/JobQueue.js"
import { Ledger } from "../ports/Ledger.js"
import { isDecided, type PaymentOrder, PaymentStore, type PurchaseFilter } from "../ports/PaymentStore.js"
import { MANUAL, PaymentRefused, Payments, type PaymentUnknown } from "../ports/Payments.js"
import type { StorageError } from "../ports/StorageError.js"
import { type Listed, makeCursors } from "./Cursors.js"
import { newPurchaseId } from "./Entropy.js"
import { type Answered, makeRepeats, type RequestContext } from "./Repeats.js"
import { BillingOff, PurchaseDecided, PurchaseOfProvider, type RepeatRefused } from "./refusals.js"
import { ServiceConfig } from "./ServiceConfig.js"

const ROUTE = "/api/v1/credits/purchases"

/** What is remembered of a purchase before the provider is asked: a repeat asks for the same one. */
const { id, credits, createdAt } = Purchase.fields
const Begun = Schema.Struct({ id, credits, createdAt })

const REFUSED_BEFORE =
  "The purchase of the first request with this Idempotency-Key was refused or has expired. Begin another one, with another key."

/** Why a purchase cannot be confirmed or canceled. */
type Undecidable = PurchaseNotFound | PurchaseOfProvider | PurchaseDecided | StorageError

interface OperatorQuery extends PurchaseFilter {
  readonly limit: number
  /** The id of the last purchase of the page before. */
  readonly cursor?: string | undefined
}

/** Credits that accounts buy. A provider says what was paid; where there is none, the operator does. */
export class Purchases extends Context.Tag("@earmark/service/Purchases")<
  Purchases,
  {
    /** Begins a purchase. A repeat with the same key asks the provider for the same one. */
    readonly begin: (
      account: AccountId,
      request: CreatePurchase,
      context?: RequestContext,
    ) => Effect.Effect<
      Answered<Purchase>,
      BillingOff | PaymentUnknown | PaymentRefused | RepeatRefused | AccountNotFound | StorageError
    >
    readonly list: (
      account: AccountId,
      query: PageQuery,
    ) => Effect.Effect<Listed<Purchase>, CursorInvalid | StorageError>
    /** Takes any text for an id: a malformed one simply does not exist. */
    readonly get: (account: AccountId, id: string) => Effect.Effect<Purchase, PurchaseNotFound | StorageError>
    /** Cancels one that waits for the operator. It cannot be confirmed any more; a repeat is answered the same. */
    readonly cancel: (account: AccountId, id: string) => Effect.Effect<Purchase, Undecidable>
    /** Those of one account or of all, newest first, for the operator. */
    readonly listAll: (
      query: OperatorQuery,
    ) => Effect.Effect<Listed<OperatorPurchase>, CursorInvalid | StorageError>
    /** The operator says that a purchase without a provider was paid. Its credits are added once, however often that is said. */
    readonly confirm: (id: string) => Effect.Effect<OperatorPurchase, Undecidable>
    /** The operator says that a purchase without a provider will not be paid: as `cancel`. */
    readonly dismiss: (id: string) => Effect.Effect<OperatorPurchase, Undecidable>
  }
>() {
  static readonly layer = Layer.effect(
    Purchases,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const ledger = yield* Ledger
      const queue = yield* JobQueue
      const payments = yield* Payments
      const orders = yield* PaymentStore
      const idempotency = yield* Idempotency
      const config = yield* ServiceConfig
      const cursors = yield* makeCursors
      const repeats = yield* makeRepeats

      const idOf = (text: string) =>
        Effect.mapError(parseId(PurchaseId)(text), () => new PurchaseNotFound({ id: text.slice(0, 64) }))

      /** In this order: whoever finds the order not followed after a crash does all of it again, and the ledger counts it once. */
      const paid = Effect.fnUntraced(function* (order: PaymentOrder, payment: string) {
        const { account, credits: amount, id, provider } = order
        yield* ledger.topUp(account, { amount, provider, payment, kind: "purchase" })
        yield* queue.wakeAccount(account)
        yield* orders.follow(id, { state: "succeeded", payment })
      })

      /** The purchase by its id: the provider answers the same one the same way, so it may be asked again. */
      const checkOut = Effect.fnUntraced(function* (account: AccountId, begun: typeof Begun.Type) {
        const { id, credits } = begun
        const { provider } = payments
        const order = yield* orders.begin({
          id,
          provider,
          account,
          credits,
          money: payments.priceOf(credits),
          payer: yield* orders.payer(account, provider),
          reload: null,
          state: "pending",
          payment: null,
          checkout: null,
          createdAt: DateTime.toEpochMillis(begun.createdAt),
        })
        // One that was begun before the service had this provider stays with the one that it had.
        if (order.provider !== provider) return showPurchase(order)
        if (wasRefused(order)) return yield* new PaymentRefused({ detail: REFUSED_BEFORE })
        if (isDecided(order)) return showPurchase(order)
        const { money, payer } = order
        const charge = yield* payments
          .checkout({ id, account, credits, money, payer })
          .pipe(Effect.tapErrorTag("PaymentRefused", () => orders.decide(id, "canceled")))
        if (charge.state === "succeeded") yield* paid(order, charge.payment)
        else if (charge.url !== null) yield* orders.opened(id, charge.payment)
        return { ...showPurchase(order), state: charge.state, checkoutUrl: charge.url }
      })

      const begin = Effect.fn("Purchases.begin")(function* (
        account: AccountId,
        { credits }: CreatePurchase,
        context: RequestContext = {},
      ) {
        if (!config.billing) return yield* new BillingOff()
        yield* accounts.get(account)
        const { idempotencyKey } = context
        const repeatable = { account, idempotencyKey, route: ROUTE, body: { credits }, answer: Begun }
        const begun = yield* repeats.once(repeatable, (guardOf) =>
          Effect.gen(function* () {
            const createdAt = DateTime.unsafeMake(yield* Clock.currentTimeMillis)
            const answer = { id: yield* newPurchaseId, credits, createdAt }
            const guard = yield* guardOf(answer)
            const fresh = { type: "done" } as const
            return { answer, guarded: guard === null ? fresh : yield* idempotency.remember(account, guard) }
          }),
        )
        return { answer: yield* checkOut(account, begun.answer), replayed: begun.replayed }
      })

      const list = Effect.fn("Purchases.list")(function* (account: AccountId, query: PageQuery) {
        const pages = cursors(account, "purchases", {}, query.order)
        const page = yield* pages.page(query)
        return pages.listed(yield* orders.purchases({ account }, page), showPurchase)
      })

      const findOf = Effect.fnUntraced(function* (account: AccountId, text: string) {
        const id = yield* idOf(text)
        const order = yield* orders.purchase(account, id)
        return order ?? (yield* new PurchaseNotFound({ id }))
      })

      const get = Effect.fn("Purchases.get")((account: AccountId, text: string) =>
        Effect.map(findOf(account, text), showPurchase),
      )

      const find = Effect.fnUntraced(function* (text: string) {
        const id = yield* idOf(text)
        const order = yield* orders.get(id)
        return order ?? (yield* new PurchaseNotFound({ id }))
      })

      const showToOperator = (order: PaymentOrder, accountOf = accounts.get) =>
        accountOf(order.account).pipe(
          // An order without its account cannot be: it was written down for one.
          Effect.catchTag("AccountNotFound", Effect.die),
          Effect.map(
            ({ name, email }): OperatorPurchase => ({
              ...showPurchase(order),
              account: order.account,
              accountName: name,
              accountEmail: email,
              provider: order.provider,
            }),
          ),
        )

      const listAll = Effect.fn("Purchases.listAll")(function* ({ limit, cursor, ...filter }: OperatorQuery) {
        const before =
          cursor === undefined
            ? null
            : yield* Effect.catchTag(find(cursor), "PurchaseNotFound", () => new CursorInvalid())
        const after = before === null ? null : { createdAt: before.createdAt, id: before.id }
        const { items, next } = yield* orders.purchases(filter, { limit, after })
        const accountOf = yield* FoundOnce.byKey(accounts.get)
        const data = yield* Effect.forEach(items, (order) => showToOperator(order, accountOf))
        return { data, hasMore: next !== null, nextCursor: next?.id ?? null }
      })

      /** Whether a purchase is paid or canceled is for one of those who say so at once: the other one is refused. */
      const decide = Effect.fnUntraced(function* (
        { id, provider }: PaymentOrder,
        state: "processing" | "canceled",
      ) {
        if (provider !== MANUAL) return yield* new PurchaseOfProvider({ id, provider })
        const order = yield* orders.decide(id, state)
        if (order === null) return yield* new PurchaseNotFound({ id })
        if ((order.state === "canceled") === (state === "canceled")) return order
        return yield* new PurchaseDecided({ id, reason: state === "canceled" ? "paid" : "canceled" })
      })

      const cancel = Effect.fn("Purchases.cancel")(function* (account: AccountId, text: string) {
        return showPurchase(yield* decide(yield* findOf(account, text), "canceled"))
      })

      const dismiss = Effect.fn("Purchases.dismiss")(function* (text: string) {
        return yield* showToOperator(yield* decide(yield* find(text), "canceled"))
      })

      const confirm = Effect.fn("Purchases.confirm")(
        function* (text: string) {
          const order = yield* decide(yield* find(text), "processing")
          if (order.state !== "succeeded") yield* paid(order, order.id)
          return yield* showToOperator({ ...order, state: "succeeded" })
        },
        // As in `showToOperator`.
        Effect.catchTag("AccountNotFound", Effect.die),
      )

      return Purchases.of({ begin, list, get, cancel, listAll, confirm, dismiss })
    }),
  )
}

/** Whether the provider did not take it: of its own purchases, only one that has a page is canceled later. */
const wasRefused = ({ checkout, provider, state }: PaymentOrder): boolean =>
  state === "canceled" && checkout === null && provider !== MANUAL

const showPurchase = ({ id, credits, money, state, createdAt }: PaymentOrder): Purchase => ({
  id: PurchaseId.make(id),
  credits,
  price: money,
  state,
  // The page is known by the provider's id of it alone; its address was told to whoever began the purchase.
  checkoutUrl: null,
  createdAt: DateTime.unsafeMake(createdAt),
})
