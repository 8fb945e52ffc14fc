import { verifyWebhook } from "@earmark/core/signing"
import { NoticeInvalid, type PaymentNotice } from "@earmark/service"
import { Effect, Either, Predicate, Schema } from "effect"
import { Event } from "./answers.js"

/** Under this name our id is kept with a payment, and with the page for it. */
export const ORDER = "earmark_order"

const EXPIRED = "checkout.session.expired"

/** What is told of payments, and of what went back of them. */
const ABOUT_PAYMENTS = /^(checkout\.session\.|payment_intent\.)/
const ABOUT_RETURNS = /^(charge\.refund|refund\.|charge\.dispute\.)/

interface Arrived {
  readonly raw: Uint8Array
  readonly header: string | undefined
  readonly secret: string
  readonly isLive: boolean
  /** Unix seconds. */
  readonly now: number
}

const onPage = (checkout: string): PaymentNotice => ({ about: "checkout", checkout })

const onPayment = (payment: string, hasReturns: boolean): PaymentNotice => ({
  about: "payment",
  payment,
  hasReturns,
})

const invalid = (detail: string) => new NoticeInvalid({ detail })

/** Checks the signature over the bytes before anything of them is read, then what the event is about. */
export const readEvent = ({ header, isLive, now, raw, secret }: Arrived) =>
  Effect.gen(function* () {
    yield* Either.mapLeft(verifyWebhook({ raw, header, secrets: [secret], now }), ({ message }) =>
      invalid(message),
    )
    const event = yield* Schema.decodeUnknown(Event)(Buffer.from(raw).toString("utf8")).pipe(
      Effect.mapError(() => invalid("The notice is not an event of Stripe")),
    )
    const hasReturns = ABOUT_RETURNS.test(event.type)
    if (!hasReturns && !ABOUT_PAYMENTS.test(event.type)) return null
    if (event.livemode !== isLive) {
      return yield* invalid("The notice and the key of this service are not both live or both for tests")
    }
    const { object } = event.data
    if (event.type === EXPIRED)
      return Predicate.hasProperty(object.metadata, ORDER) ? onPage(object.id) : null
    const payment = object.object === "payment_intent" ? object.id : object.payment_intent
    return payment === null ? null : onPayment(payment, hasReturns)
  })
