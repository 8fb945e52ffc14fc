import { Effect, Layer } from "effect"
import { MANUAL, NoticeInvalid, Payments, PaymentUnknown } from "../ports/Payments.js"

/**
 * Nobody takes money: a purchase waits until the operator confirms it, and nothing is charged without anybody present.
 */
export const layer = Layer.succeed(Payments, {
  provider: MANUAL,
  offSession: "never",
  priceOf: () => null,
  checkout: ({ id }) => Effect.succeed({ state: "pending", payment: id, url: null }),
  charge: ({ key }) => Effect.succeed({ state: "action_required", payment: key }),
  page: () => Effect.succeed({ order: null, payment: null, isExpired: false }),
  payment: (payment) => new PaymentUnknown({ cause: `nobody knows the payment ${payment}` }),
  returns: () => Effect.succeed([]),
  readNotice: () =>
    new NoticeInvalid({ detail: "This server takes no payments, so it expects no payment notices." }),
})
