import { Either, type Redacted } from "effect"
import { type Kind, secret, webAddress } from "./kinds.js"
import { SettingInvalid, setting } from "./Setting.js"

const unset = { otherwise: null, shown: "unset" } as const

const key = secret("text", (given) =>
  /^(sk|rk)_(live|test)_\S+$/.test(given)
    ? Either.right(given)
    : Either.left("a secret key of Stripe, which begins with sk_live_, sk_test_, rk_live_ or rk_test_"),
)

const webhookSecret = secret("text", (given) =>
  /^whsec_\S+$/.test(given)
    ? Either.right(given)
    : Either.left("the signing secret of a webhook endpoint at Stripe, which begins with whsec_"),
)

const price: Kind<number> = {
  name: "number",
  isSecret: false,
  parse: (given) =>
    /^\d{1,7}(\.\d{1,6})?$/.test(given) && Number(given) > 0
      ? Either.right(Number(given))
      : Either.left("a number above 0, such as 2 or 0.6"),
}

const currency: Kind<string> = {
  name: "three letters",
  isSecret: false,
  parse: (given) =>
    /^[a-z]{3}$/i.test(given)
      ? Either.right(given.toLowerCase())
      : Either.left("the three letters of a currency, such as usd"),
}

/** Who takes the money. */
export const payments = {
  stripeKey: setting("EARMARK_STRIPE_KEY", {
    kind: key,
    ...unset,
    sentence:
      "The secret key of a Stripe account that takes payments. Unset: no payment provider, and the operator confirms purchases. With it, all settings below except the last are required.",
  }),
  stripeWebhookSecret: setting("EARMARK_STRIPE_WEBHOOK_SECRET", {
    kind: webhookSecret,
    ...unset,
    sentence:
      "The signing secret of the webhook endpoint at Stripe that sends to `/api/v1/payments/stripe/notices`.",
  }),
  stripePrice: setting("EARMARK_STRIPE_PRICE", {
    kind: price,
    ...unset,
    sentence:
      "The price of a credit, in the smallest unit of the currency. Fractions are allowed; the amount of a purchase is rounded up.",
  }),
  stripeCurrency: setting("EARMARK_STRIPE_CURRENCY", {
    kind: currency,
    ...unset,
    sentence: "The currency of that price.",
  }),
  stripeSuccessUrl: setting("EARMARK_STRIPE_SUCCESS_URL", {
    kind: webAddress,
    ...unset,
    sentence: "The page that customers return to after payment.",
  }),
  stripeCancelUrl: setting("EARMARK_STRIPE_CANCEL_URL", {
    kind: webAddress,
    ...unset,
    sentence: "The page that customers return to without payment.",
  }),
  stripeUrl: setting("EARMARK_STRIPE_URL", {
    kind: webAddress,
    otherwise: "https://api.stripe.com",
    sentence: "The address of the Stripe API. Change it only for tests.",
  }),
}

/** Everything that it takes to be paid through Stripe. */
export interface StripeSettings {
  readonly key: Redacted.Redacted<string>
  readonly webhookSecret: Redacted.Redacted<string>
  readonly price: number
  readonly currency: string
  readonly successUrl: string
  readonly cancelUrl: string
  readonly url: string
}

interface GivenStripe {
  readonly stripeKey: Redacted.Redacted<string> | null
  readonly stripeWebhookSecret: Redacted.Redacted<string> | null
  readonly stripePrice: number | null
  readonly stripeCurrency: string | null
  readonly stripeSuccessUrl: string | null
  readonly stripeCancelUrl: string | null
  readonly stripeUrl: string
}

/** All of it or nothing of it: half of it would take no money, or take it and add no credits. */
export const stripeOf = (
  given: GivenStripe,
): Either.Either<StripeSettings | null, ReadonlyArray<SettingInvalid>> => {
  const key = given.stripeKey
  const webhookSecret = given.stripeWebhookSecret
  const { stripeCancelUrl: cancelUrl, stripeSuccessUrl: successUrl } = given
  const { stripeCurrency: currency, stripePrice: price, stripeUrl: url } = given
  if (
    key !== null &&
    webhookSecret !== null &&
    price !== null &&
    currency !== null &&
    successUrl !== null &&
    cancelUrl !== null
  ) {
    return Either.right({ key, webhookSecret, price, currency, successUrl, cancelUrl, url })
  }
  const parts = [
    [payments.stripeKey, key],
    [payments.stripeWebhookSecret, webhookSecret],
    [payments.stripePrice, price],
    [payments.stripeCurrency, currency],
    [payments.stripeSuccessUrl, successUrl],
    [payments.stripeCancelUrl, cancelUrl],
  ] as const
  const present = parts.find(([, value]) => value !== null)
  if (present === undefined) return Either.right(null)
  const problem = `must be set, since ${present[0].facts.name} is`
  return Either.left(
    parts
      .filter(([, value]) => value === null)
      .map(([{ facts }]) => new SettingInvalid({ setting: facts.name, problem })),
  )
}
