import type { AccountId, PurchaseId } from "@earmark/core/jobs"
import type { PaymentState } from "@earmark/core/wire"
import { Context, type Effect, Schema } from "effect"
import type { Money, Payer } from "./PaymentStore.js"

/** The provider could not be reached, or its answer was lost: the same key again is safe. */
export class PaymentUnknown extends Schema.TaggedError<PaymentUnknown>()("PaymentUnknown", {
  cause: Schema.Defect,
}) {}

/** The provider does not take a payment like this one, whoever pays. */
export class PaymentRefused extends Schema.TaggedError<PaymentRefused>()("PaymentRefused", {
  detail: Schema.String,
}) {
  override get message() {
    return this.detail
  }
}

/** What came in as a notice is none: its signature, its age, its mode or its form is wrong. */
export class NoticeInvalid extends Schema.TaggedError<NoticeInvalid>()("NoticeInvalid", {
  detail: Schema.String,
}) {
  override get message() {
    return this.detail
  }
}

export interface Charge {
  readonly state: Exclude<PaymentState, "canceled">
  /** The provider's id of the payment: credits are added once for each. */
  readonly payment: string
}

/** A payment as the provider knows it now. */
export interface PaymentFacts extends Charge {
  /** Our id, as it was given when the payment was asked for; null for a payment that is not ours. */
  readonly order: string | null
  readonly money: Money
  /** Whom to charge the next time without anybody present. */
  readonly payer: Payer | null
}

/** Money of a payment that went back to the payer. */
export interface PaymentReturn {
  /** The provider's id of the refund or the dispute. */
  readonly id: string
  readonly kind: "refund" | "dispute"
  readonly amount: number
  /** The refund failed, or the dispute was won: the money is here again. */
  readonly isUndone: boolean
}

/** A page where a person pays, as the provider knows it now. */
export interface CheckoutFacts {
  /** Our id of the purchase that it was opened for; null for a page that is not ours. */
  readonly order: string | null
  /** The payment that was made on it; null as long as there is none. */
  readonly payment: string | null
  /** Nobody has paid there, and nobody can any more. */
  readonly isExpired: boolean
}

/** What a notice is about: a payment, or a page on which nobody has paid. It says only where to look: what is true is asked of the provider. */
export type PaymentNotice =
  | { readonly about: "payment"; readonly payment: string; readonly hasReturns: boolean }
  | { readonly about: "checkout"; readonly checkout: string }

/** The provider that is none: nobody takes money, and the operator says what was paid. */
export const MANUAL = "manual"

/** Whoever takes the money. */
export class Payments extends Context.Tag("@earmark/service/Payments")<
  Payments,
  {
    readonly provider: string
    /** When the provider charges without anybody present: for everybody, for who has paid before, or for nobody. */
    readonly offSession: "always" | "with_payer" | "never"
    /** What credits cost; null when nobody takes money. */
    readonly priceOf: (credits: number) => Money | null
    /**
     * Starts a purchase; the answer says where a person pays, or null when nobody takes money and the operator confirms it. The same id is the same purchase. Where
     * there is an address, `payment` is the provider's id of that page.
     */
    readonly checkout: (purchase: {
      readonly id: PurchaseId
      readonly account: AccountId
      readonly credits: number
      readonly money: Money | null
      readonly payer: Payer | null
    }) => Effect.Effect<Charge & { readonly url: string | null }, PaymentUnknown | PaymentRefused>
    /** Charges without anybody present. The same key never charges twice, however late it is repeated. */
    readonly charge: (charge: {
      readonly key: string
      readonly account: AccountId
      readonly credits: number
      readonly money: Money | null
      readonly payer: Payer | null
      /** Whether the provider may have been asked under this key before. */
      readonly isRepeat: boolean
    }) => Effect.Effect<Charge, PaymentUnknown>
    /** How a page to pay stands. */
    readonly page: (checkout: string) => Effect.Effect<CheckoutFacts, PaymentUnknown>
    /** How a payment stands. */
    readonly payment: (payment: string) => Effect.Effect<PaymentFacts, PaymentUnknown>
    /** Everything of a payment that went back, undone or not. */
    readonly returns: (payment: string) => Effect.Effect<ReadonlyArray<PaymentReturn>, PaymentUnknown>
    /** Verifies a notice before anything of it is read; null when it is about nothing of ours. */
    readonly readNotice: (notice: {
      readonly raw: Uint8Array
      /** By lower-case name. */
      readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
    }) => Effect.Effect<PaymentNotice | null, NoticeInvalid>
  }
>() {}
