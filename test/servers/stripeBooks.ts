/** What the double of Stripe knows and does: sessions, customers, payments, refunds and disputes. */

export type FormFields = Readonly<Record<string, string>>

export interface StripeObject {
  readonly id: string
  readonly object: string
  readonly [name: string]: unknown
}

interface Intent extends StripeObject {
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly customer: string | null
  readonly payment_method: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly last_payment_error: { readonly code: string } | null
}

interface Session extends StripeObject {
  readonly fields: FormFields
  readonly metadata: Readonly<Record<string, string>>
}

interface Returned extends StripeObject {
  readonly payment_intent: string
  readonly amount: number
  readonly status: string
}

/** How a card answers: at once, later, with no, or with a wish to see its owner. */
export type Card = "good" | "slow" | "declined" | "authentication"

const ofCard = {
  good: { status: "succeeded", last_payment_error: null },
  slow: { status: "processing", last_payment_error: null },
  declined: { status: "requires_payment_method", last_payment_error: { code: "card_declined" } },
  authentication: {
    status: "requires_payment_method",
    last_payment_error: { code: "authentication_required" },
  },
} as const satisfies Readonly<Record<Card, Pick<Intent, "status" | "last_payment_error">>>

const metadataIn = (fields: FormFields, prefix = "metadata"): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const key = name.startsWith(`${prefix}[`) ? name.slice(prefix.length + 1, -1) : undefined
      return key === undefined ? [] : [[key, value]]
    }),
  )

interface Performed {
  readonly status: number
  readonly body: object
}

const ok = (body: object): Performed => ({ status: 200, body })

const refused = (code: string): Performed => ({
  status: 400,
  body: { error: { type: "invalid_request_error", code, message: code } },
})

const missing: Performed = {
  status: 404,
  body: { error: { type: "invalid_request_error", code: "resource_missing", message: "No such object" } },
}

const LEAST_AMOUNT = 50

export const makeStripeBooks = () => {
  const sessions = new Map<string, Session>()
  const intents = new Map<string, Intent>()
  const refunds: Array<Returned> = []
  const disputes: Array<Returned> = []
  let card: Card = "good"
  let count = 0
  const newId = (prefix: string) => `${prefix}_${++count}`

  const put = (intent: Intent): Intent => {
    intents.set(intent.id, intent)
    return intent
  }

  const openSession = (fields: FormFields): Performed => {
    const amount = Number(fields["line_items[0][price_data][unit_amount]"])
    if (!(amount >= LEAST_AMOUNT)) return refused("amount_too_small")
    const required = ["success_url", "cancel_url", "line_items[0][price_data][currency]"]
    if (required.some((name) => fields[name] === undefined)) return refused("parameter_missing")
    const id = newId("cs_test")
    const session: Session = {
      id,
      object: "checkout.session",
      url: `https://checkout.stripe.example/${id}`,
      status: "open",
      payment_status: "unpaid",
      payment_intent: null,
      amount_total: amount,
      metadata: metadataIn(fields),
      fields,
    }
    sessions.set(id, session)
    return ok({ ...session, fields: undefined })
  }

  const charge = (fields: FormFields): Performed => {
    const { customer = null, payment_method = null, currency = "" } = fields
    const known = [...intents.values()].some((each) => each.payment_method === payment_method)
    if (customer === null || !known) return missing
    if (fields.off_session !== "true" || fields.confirm !== "true") return refused("parameter_missing")
    const intent = put({
      id: newId("pi"),
      object: "payment_intent",
      amount: Number(fields.amount),
      currency,
      customer,
      payment_method,
      metadata: metadataIn(fields),
      ...ofCard[card],
    })
    const error = intent.last_payment_error
    return error === null
      ? ok(intent)
      : {
          status: 402,
          body: {
            error: { type: "card_error", code: error.code, message: "declined", payment_intent: intent },
          },
        }
  }

  const perform = (method: string, path: string, fields: FormFields): Performed => {
    const [, , kind, id] = path.split("/")
    if (method === "POST" && path === "/v1/checkout/sessions") return openSession(fields)
    if (method === "POST" && path === "/v1/payment_intents") return charge(fields)
    if (method !== "GET") return missing
    const of = (returned: ReadonlyArray<Returned>) =>
      ok({ data: returned.filter((each) => each.payment_intent === fields.payment_intent) })
    if (kind === "refunds") return of(refunds)
    if (kind === "disputes") return of(disputes)
    if (kind === "checkout") {
      const session = sessions.get(path.split("/")[4] ?? "")
      return session === undefined ? missing : ok({ ...session, fields: undefined })
    }
    if (kind !== "payment_intents") return missing
    if (id === undefined) {
      return ok({
        data: [...intents.values()].filter(({ customer }) => customer === fields.customer).reverse(),
      })
    }
    const found = intents.get(id)
    return found === undefined ? missing : ok(found)
  }

  const pay = (session: string, withCard: Card) => {
    const opened = sessions.get(session)
    if (opened === undefined) throw new Error(`there is no session ${session}`)
    const { fields } = opened
    const intent = put({
      id: newId("pi"),
      object: "payment_intent",
      amount: Number(fields["line_items[0][price_data][unit_amount]"]),
      currency: fields["line_items[0][price_data][currency]"] ?? "",
      customer: fields.customer ?? newId("cus"),
      payment_method: newId("pm"),
      metadata: metadataIn(fields, "payment_intent_data[metadata]"),
      ...ofCard[withCard],
    })
    const paid = withCard === "good" ? "paid" : "unpaid"
    const completed = { ...opened, status: "complete", payment_status: paid, payment_intent: intent.id }
    sessions.set(session, completed)
    return { intent, session: completed }
  }

  const expire = (session: string): Session => {
    const opened = sessions.get(session)
    if (opened === undefined) throw new Error(`there is no session ${session}`)
    const expired = { ...opened, status: "expired" }
    sessions.set(session, expired)
    return expired
  }

  const change = (list: Array<Returned>, object: Returned): Returned => {
    const at = list.findIndex(({ id }) => id === object.id)
    if (at < 0) list.push(object)
    else list[at] = object
    return object
  }

  return {
    perform,
    pay,
    expire,
    intents,
    setCard: (next: Card) => {
      card = next
    },
    finish: (id: string, as: "good" | "declined"): Intent => {
      const intent = intents.get(id)
      if (intent === undefined) throw new Error(`there is no payment ${id}`)
      return put({ ...intent, ...ofCard[as] })
    },
    refund: (payment_intent: string, amount: number, status = "succeeded", id = newId("re")) =>
      change(refunds, { id, object: "refund", payment_intent, amount, status }),
    dispute: (payment_intent: string, amount: number, status = "needs_response", id = newId("dp")) =>
      change(disputes, { id, object: "dispute", payment_intent, amount, status }),
  }
}
