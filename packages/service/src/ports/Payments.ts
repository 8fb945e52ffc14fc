import type { AccountId, PaymentState, PurchaseId } from "@earmark/core/jobs"
import { Context, type Effect, Schema } from "effect"

/** The provider could not be reached, or its answer was lost: the same key again is safe. */
export class PaymentUnknown extends Schema.TaggedError<PaymentUnknown>()("PaymentUnknown", {
  cause: Schema.Defect,
}) {}

export interface Charge {
  readonly state: PaymentState
  /** The provider's id of the payment: credits are added once for each. */
  readonly payment: string
}

/** Whoever takes the money. */
export class Payments extends Context.Tag("@earmark/service/Payments")<
  Payments,
  {
    readonly provider: string
    /** Starts a purchase; the answer says where a person pays, or null when an operator grants it. */
    readonly checkout: (purchase: {
      readonly id: PurchaseId
      readonly account: AccountId
      readonly credits: number
    }) => Effect.Effect<Charge & { readonly url: string | null }, PaymentUnknown>
    /** Charges without anybody present. The same key never charges twice, and answers the same. */
    readonly charge: (charge: {
      readonly key: string
      readonly account: AccountId
      readonly credits: number
    }) => Effect.Effect<Charge, PaymentUnknown>
  }
>() {}
