/** The parts that are read of what Stripe answers. It may say more. */
import { Schema } from "effect"

const Metadata = Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), {
  default: () => ({}),
})

const NullableText = Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })

export const PaymentIntent = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  amount: Schema.Int,
  currency: Schema.String,
  customer: NullableText,
  payment_method: NullableText,
  metadata: Metadata,
  last_payment_error: Schema.optionalWith(Schema.NullOr(Schema.Struct({ code: NullableText })), {
    default: () => null,
  }),
})
export type PaymentIntent = typeof PaymentIntent.Type

export const PaymentIntents = Schema.Struct({ data: Schema.Array(PaymentIntent) })

export const CheckoutSession = Schema.Struct({
  id: Schema.String,
  url: NullableText,
  status: NullableText,
  payment_status: Schema.String,
  payment_intent: NullableText,
  metadata: Metadata,
})
export type CheckoutSession = typeof CheckoutSession.Type

export const Refunds = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, amount: Schema.Int, status: NullableText })),
})

export const Disputes = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, amount: Schema.Int, status: Schema.String })),
})

export const Failure = Schema.Struct({
  error: Schema.Struct({
    type: Schema.String,
    code: NullableText,
    message: NullableText,
    payment_intent: Schema.optional(PaymentIntent),
  }),
})

export const Event = Schema.parseJson(
  Schema.Struct({
    id: Schema.String,
    type: Schema.String,
    livemode: Schema.Boolean,
    data: Schema.Struct({
      object: Schema.Struct({
        id: Schema.String,
        object: Schema.String,
        payment_intent: NullableText,
        metadata: Schema.optional(Schema.Unknown),
      }),
    }),
  }),
)
