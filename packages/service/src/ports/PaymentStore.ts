import type { AccountId, PurchaseId, ReloadId } from "@earmark/core/jobs"
import type { PaymentState } from "@earmark/core/wire"
import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "./JobStore.js"
import type { StorageError } from "./StorageError.js"

/** An amount in the smallest unit of its currency. */
export interface Money {
  readonly amount: number
  /** Three lower-case letters. */
  readonly currency: string
}

/** Who pays, in ids of the provider. */
export interface Payer {
  readonly customer: string
  /** What is charged without anybody present; null when nothing may be. */
  readonly method: string | null
}

/** What is asked of a provider. It is written down before, so that a repeat asks for exactly the same, and a notice can be compared with it. */
export interface PaymentOrder {
  /** Ours: the id of a purchase, or the key of a charge. The provider keeps it with the payment. */
  readonly id: string
  readonly provider: string
  readonly account: AccountId
  readonly credits: number
  readonly money: Money | null
  readonly payer: Payer | null
  /** The reload that a charge is an attempt of; null for a purchase. */
  readonly reload: { readonly id: ReloadId; readonly attempt: number } | null
  readonly state: PaymentState
  /** The provider's id of the payment, once it is known. */
  readonly payment: string | null
  /** The provider's id of the page where a person pays, once there is one. */
  readonly checkout: string | null
  readonly createdAt: number
}

/** Whether an order cannot change any more; one that was canceled still can when it is paid. */
export const isDecided = ({ state }: Pick<PaymentOrder, "state">): boolean =>
  state === "succeeded" || state === "canceled"

/** Which purchases a list has. */
export interface PurchaseFilter {
  /** Those of one account; of all accounts when left out. */
  readonly account?: AccountId | undefined
  /** Only those that have neither succeeded nor been canceled. */
  readonly isOpen?: boolean | undefined
}

/** How long a notice may take before the provider is asked. */
export const LOOK_AFTER_SECONDS = 15 * 60

/** A page to pay is open for a day; a bank may take weeks after that. */
export const LOOKED_AFTER_DAYS = 35

/** What was asked of payment providers, and who pays. */
export class PaymentStore extends Context.Tag("@earmark/service/PaymentStore")<
  PaymentStore,
  {
    /** Writes an order down, and answers it. One that is there already stays, and is answered, as it is. */
    readonly begin: (order: PaymentOrder) => Effect.Effect<PaymentOrder, StorageError>
    readonly get: (id: string) => Effect.Effect<PaymentOrder | null, StorageError>
    /** A purchase of an account; null for one of another account, and for what is charged for a reload. */
    readonly purchase: (
      account: AccountId,
      id: PurchaseId,
    ) => Effect.Effect<PaymentOrder | null, StorageError>
    /** Purchases, newest first unless asked otherwise; what is charged for reloads is none. */
    readonly purchases: (
      filter: PurchaseFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentOrder>, StorageError>
    /**
     * Writes how the payment of an order stands. What succeeded does not change any more, and what was canceled only when it is paid all the
     * same; a payment that is known stays known.
     */
    readonly follow: (
      id: string,
      outcome: Pick<PaymentOrder, "state" | "payment">,
    ) => Effect.Effect<void, StorageError>
    /**
     * Takes an order out of `pending`, which only one of racing callers can: `processing` says that it is being paid and cannot be canceled,
     * `canceled` that it cannot be paid. Answers the order as it then is, whoever did it; null when there is none.
     */
    readonly decide: (
      id: string,
      state: "processing" | "canceled",
    ) => Effect.Effect<PaymentOrder | null, StorageError>
    /** Writes down where a person pays. From then on the order is looked after until it is decided: see `takeUndecided`. */
    readonly opened: (id: string, checkout: string) => Effect.Effect<void, StorageError>
    /**
     * Orders of a provider with a page to pay that are not decided, and that nobody has looked at for as long as they had been waiting
     * then, at least `LOOK_AFTER_SECONDS`; never those of more than `LOOKED_AFTER_DAYS`. No two callers are given the same one.
     */
    readonly takeUndecided: (
      provider: string,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<PaymentOrder>, StorageError>
    /** Who paid last for an account. */
    readonly payer: (account: AccountId, provider: string) => Effect.Effect<Payer | null, StorageError>
    readonly putPayer: (
      account: AccountId,
      provider: string,
      payer: Payer,
    ) => Effect.Effect<void, StorageError>
  }
>() {}
