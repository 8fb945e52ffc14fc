/** Credits over a store in memory, and Stripe's double over a socket. */
import { FetcherNode } from "@earmark/media"
import {
  CreditDesk,
  Customers,
  Ledger,
  PaymentNotices,
  Purchases,
  Reloads,
  Secrets,
  ServiceConfig,
  StoreMemory,
} from "@earmark/service"
import { Clock, Context, Duration, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import { type StripeDouble, startStripe } from "../../../test/servers/stripeDouble.js"
import { PaymentsStripe, type StripeOptions } from "../src/index.js"

/** The double of one test. */
export class Stripe extends Context.Tag("test/Stripe")<Stripe, StripeDouble>() {}

const double = Layer.scoped(
  Stripe,
  Effect.acquireRelease(Effect.promise(startStripe), (stripe) => Effect.promise(stripe.stop)),
)

const payments = (options: Partial<StripeOptions>) =>
  Layer.unwrapEffect(
    Effect.map(Stripe, (stripe) =>
      PaymentsStripe.layer({
        key: Redacted.make(stripe.key),
        webhookSecret: Redacted.make(stripe.webhookSecret),
        price: 2.5,
        currency: "eur",
        successUrl: "https://ear.example/paid",
        cancelUrl: "https://ear.example/not-paid",
        url: stripe.url,
        delays: [Duration.zero, Duration.zero],
        ...options,
      }),
    ),
  ).pipe(Layer.provide(FetcherNode.layer()))

const world = (options: Partial<StripeOptions>) =>
  Layer.mergeAll(Customers.layer, CreditDesk.layer, Purchases.layer, PaymentNotices.layer).pipe(
    Layer.provideMerge(Reloads.layer),
    Layer.provideMerge(payments(options)),
    Layer.provideMerge(
      Layer.mergeAll(
        double,
        StoreMemory.layer,
        Secrets.layerEphemeral,
        ServiceConfig.layer({ freeCredits: 0 }),
      ),
    ),
  )

export const inWorld =
  (options: Partial<StripeOptions> = {}) =>
  <A, E, R>(test: Effect.Effect<A, E, R>) =>
    test.pipe(Effect.provide(world(options)), Logger.withMinimumLogLevel(LogLevel.None))

export const newAccount = Effect.flatMap(Customers, (customers) =>
  Effect.map(customers.create({ name: "Ann" }), ({ id }) => id),
)

type Account = Effect.Effect.Success<typeof newAccount>

export const balance = (account: Account) =>
  Effect.map(
    Effect.flatMap(Ledger, (ledger) => ledger.balance(account)),
    ({ posted }) => posted,
  )

export const buy = (account: Account, credits: number) =>
  Effect.flatMap(Purchases, (purchases) =>
    Effect.map(purchases.begin(account, { credits }), ({ answer }) => answer),
  )

/** The session behind a page where a person pays. */
export const sessionOf = ({ checkoutUrl }: { readonly checkoutUrl: string | null }): string =>
  checkoutUrl?.split("/").at(-1) ?? ""

/** Sends an event as Stripe does, at the time of the test. */
export const notify = (
  type: string,
  object: Parameters<StripeDouble["event"]>[1],
  more: Parameters<StripeDouble["event"]>[2] = {},
) =>
  Effect.gen(function* () {
    const stripe = yield* Stripe
    const at = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    return yield* deliver(stripe.event(type, object, { at, ...more }))
  })

export const deliver = ({ body, signature }: { readonly body: string; readonly signature: string }) =>
  Effect.flatMap(PaymentNotices, (notices) =>
    notices.receive({ raw: Buffer.from(body), headers: { "stripe-signature": signature } }),
  )

/** An account that has paid once: there is somebody to charge. */
export const paidAccount = Effect.gen(function* () {
  const account = yield* newAccount
  const stripe = yield* Stripe
  const { intent } = stripe.pay(sessionOf(yield* buy(account, 100)))
  yield* notify("payment_intent.succeeded", intent)
  return { account, payment: intent.id }
})

interface Tagged {
  readonly _tag: string
}

export const refusal = <R>(effect: Effect.Effect<unknown, Tagged, R>) =>
  Effect.map(Effect.flip(effect), (error) => error._tag)
