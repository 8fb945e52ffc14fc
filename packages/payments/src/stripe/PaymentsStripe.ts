import {
  type Charge,
  type CheckoutFacts,
  type PaymentFacts,
  PaymentRefused,
  Payments,
  PaymentUnknown,
} from "@earmark/service"
import { Clock, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { CheckoutSession, Disputes, Failure, PaymentIntent, PaymentIntents, Refunds } from "./answers.js"
import { type Answer, makeAsk } from "./ask.js"
import { ORDER, readEvent } from "./notice.js"

export interface StripeOptions {
  /** A secret or restricted key: `sk_live_...`, `rk_test_...`. */
  readonly key: Redacted.Redacted<string>
  /** Of the webhook endpoint that Stripe sends notices to: `whsec_...`. */
  readonly webhookSecret: Redacted.Redacted<string>
  /** Of one credit, in the smallest unit of the currency; may be a fraction of it. What is asked for is rounded up. */
  readonly price: number
  /** Three letters. */
  readonly currency: string
  /** Where a person is sent after paying, and after not paying. */
  readonly successUrl: string
  readonly cancelUrl: string
  /** `https://api.stripe.com` unless said otherwise. */
  readonly url?: string
  readonly delays?: ReadonlyArray<Duration.Duration>
  readonly deadline?: Duration.Duration
}

const decode = <A, I>(schema: Schema.Schema<A, I>, { body, status }: Answer) =>
  status === 200
    ? Effect.mapError(Schema.decodeUnknown(schema)(body), (cause) => new PaymentUnknown({ cause }))
    : Effect.fail(new PaymentUnknown({ cause: `Stripe answered ${status}` }))

const readFailure = Schema.decodeUnknownOption(Failure)

const AUTHENTICATION = "authentication_required"

const stateOf = ({ last_payment_error, status }: PaymentIntent): Charge["state"] => {
  switch (status) {
    case "succeeded":
      return "succeeded"
    case "processing":
    case "requires_capture":
    case "requires_confirmation":
      return "processing"
    case "requires_action":
      return "action_required"
    case "requires_payment_method":
      // Nobody has tried to pay yet, or the bank wants to see somebody, or it said no.
      if (last_payment_error === null) return "pending"
      return last_payment_error.code === AUTHENTICATION ? "action_required" : "failed"
    default:
      return "failed"
  }
}

const chargeOf = (intent: PaymentIntent): Charge => ({ state: stateOf(intent), payment: intent.id })

const factsOf = (intent: PaymentIntent): PaymentFacts => ({
  ...chargeOf(intent),
  order: intent.metadata[ORDER] ?? null,
  money: { amount: intent.amount, currency: intent.currency },
  payer: intent.customer === null ? null : { customer: intent.customer, method: intent.payment_method },
})

const pageOf = ({ metadata, payment_intent, status }: CheckoutSession): CheckoutFacts => ({
  order: metadata[ORDER] ?? null,
  payment: payment_intent,
  isExpired: status === "expired",
})

const TOO_LITTLE_OR_MUCH: ReadonlyArray<string | null> = ["amount_too_small", "amount_too_large"]

const UNDONE: ReadonlyArray<string | null> = ["failed", "canceled"]

const nowhere = new PaymentUnknown({ cause: "an order without a price" })

const make = Effect.fnUntraced(function* (options: StripeOptions) {
  const { cancelUrl, currency, price, successUrl } = options
  const ask = yield* makeAsk({
    url: options.url ?? "https://api.stripe.com",
    key: options.key,
    delays: options.delays ?? [Duration.millis(300), Duration.seconds(1)],
    deadline: options.deadline ?? Duration.seconds(20),
  })
  const isLive = /^[a-z]+_live_/.test(Redacted.value(options.key))

  const list = <A, I>(path: string, schema: Schema.Schema<A, I>, fields: Record<string, string>) =>
    Effect.flatMap(ask({ method: "GET", path, fields: { ...fields, limit: 100 } }), (answer) =>
      decode(schema, answer),
    )

  const checkout: Payments["Type"]["checkout"] = Effect.fnUntraced(function* (purchase) {
    const { account, credits, id, money, payer } = purchase
    if (money === null) return yield* nowhere
    const metadata = { [ORDER]: id, earmark_account: account }
    const answer = yield* ask({
      method: "POST",
      path: "/v1/checkout/sessions",
      idempotencyKey: `purchase:${id}`,
      fields: {
        mode: "payment",
        client_reference_id: id,
        success_url: successUrl,
        cancel_url: cancelUrl,
        ...(payer === null ? { customer_creation: "always" } : { customer: payer.customer }),
        line_items: {
          0: {
            quantity: 1,
            price_data: {
              currency: money.currency,
              unit_amount: money.amount,
              product_data: { name: credits === 1 ? "1 credit" : `${credits} credits` },
            },
          },
        },
        metadata,
        // What pays once may be charged for reloads.
        payment_intent_data: { metadata, setup_future_usage: "off_session" },
      },
    })
    const failure = Option.getOrUndefined(readFailure(answer.body))
    if (failure !== undefined && TOO_LITTLE_OR_MUCH.includes(failure.error.code)) {
      return yield* new PaymentRefused({
        detail: `${credits} credits cost less or more than can be paid at once: buy another number of them.`,
      })
    }
    const session = yield* decode(CheckoutSession, answer)
    return { state: "pending", payment: session.id, url: session.url }
  })

  /** A charge that was made under the key, although its answer was lost. Keys are forgotten after a day; what was charged is not. */
  const madeBefore = (customer: string, key: string) =>
    Effect.map(list("/v1/payment_intents", PaymentIntents, { customer }), ({ data }) =>
      data.find(({ metadata }) => metadata[ORDER] === key),
    )

  const charge: Payments["Type"]["charge"] = Effect.fnUntraced(function* (asked) {
    const { account, credits, isRepeat, key, money, payer } = asked
    if (money === null) return yield* nowhere
    if (payer === null || payer.method === null) return { state: "action_required", payment: key }
    const { customer, method } = payer
    if (isRepeat) {
      const made = yield* madeBefore(customer, key)
      if (made !== undefined) return chargeOf(made)
    }
    const answer = yield* ask({
      method: "POST",
      path: "/v1/payment_intents",
      idempotencyKey: key,
      fields: {
        amount: money.amount,
        currency: money.currency,
        customer,
        payment_method: method,
        off_session: true,
        confirm: true,
        description: `Auto-reload of ${credits} credits`,
        metadata: { [ORDER]: key, earmark_account: account },
      },
    })
    if (answer.status === 200) return chargeOf(yield* decode(PaymentIntent, answer))
    const failure = Option.getOrUndefined(readFailure(answer.body))
    if (failure === undefined) return yield* new PaymentUnknown({ cause: `Stripe answered ${answer.status}` })
    const { code, payment_intent: intent, type } = failure.error
    if (type !== "card_error") {
      yield* Effect.logError("Stripe does not take a charge").pipe(
        Effect.annotateLogs({ account, type, code }),
      )
    }
    const payment = intent?.id ?? key
    return { state: code === AUTHENTICATION ? "action_required" : "failed", payment }
  })

  return Payments.of({
    provider: "stripe",
    offSession: "with_payer",
    priceOf: (credits) => ({ amount: Math.ceil(roundedOff(credits * price)), currency }),
    checkout,
    charge,
    page: (checkout) =>
      Effect.flatMap(
        ask({ method: "GET", path: `/v1/checkout/sessions/${encodeURIComponent(checkout)}` }),
        (answer) => Effect.map(decode(CheckoutSession, answer), pageOf),
      ),
    payment: (payment) =>
      Effect.flatMap(
        ask({ method: "GET", path: `/v1/payment_intents/${encodeURIComponent(payment)}` }),
        (answer) => Effect.map(decode(PaymentIntent, answer), factsOf),
      ),
    returns: (payment) =>
      Effect.gen(function* () {
        const refunds = yield* list("/v1/refunds", Refunds, { payment_intent: payment })
        const disputes = yield* list("/v1/disputes", Disputes, { payment_intent: payment })
        return [
          ...refunds.data.map(({ amount, id, status }) => ({
            id,
            kind: "refund" as const,
            amount,
            isUndone: UNDONE.includes(status),
          })),
          // While it is only an inquiry, the money is here.
          ...disputes.data
            .filter(({ status }) => !status.startsWith("warning_"))
            .map(({ amount, id, status }) => ({
              id,
              kind: "dispute" as const,
              amount,
              isUndone: status === "won",
            })),
        ]
      }),
    readNotice: ({ headers, raw }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const header = headers["stripe-signature"]
        return readEvent({
          raw,
          header: typeof header === "string" ? header : undefined,
          secret: Redacted.value(options.webhookSecret),
          isLive,
          now: Math.floor(now / 1000),
        })
      }),
  })
})

/** 0.29 times 100 is not 29.000000000000004 here. */
const roundedOff = (amount: number): number => Number(amount.toPrecision(12))

/** Stripe: a person pays on a page of theirs, and reloads are charged with what paid before. */
export const layer = (options: StripeOptions) => Layer.effect(Payments, make(options))
