export type { StripeOptions } from "./stripe/PaymentsStripe.js"
export * as PaymentsStripe from "./stripe/PaymentsStripe.js"
