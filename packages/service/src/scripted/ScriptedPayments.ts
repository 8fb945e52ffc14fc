import { Context, Effect, Layer } from "effect"
import { type Charge, NoticeInvalid, Payments, PaymentUnknown } from "../ports/Payments.js"

interface MadeCharge {
  readonly key: string
  readonly account: string
  readonly credits: number
  readonly state: Charge["state"] | "unknown"
}

/** How the provider answers a charge or a checkout. The same key is answered the same, but after `unknown`. */
export type PaymentScript = (charge: {
  readonly key: string
  readonly account: string
  readonly credits: number
  /** How many charges there were before. */
  readonly index: number
}) => Charge["state"] | "unknown"

/** What the scripted provider was asked. */
export class ScriptedPayments extends Context.Tag("@earmark/service/ScriptedPayments")<
  ScriptedPayments,
  { readonly charges: Effect.Effect<ReadonlyArray<MadeCharge>> }
>() {}

/** A provider that takes no money. */
export const layer = (script: PaymentScript = () => "succeeded") =>
  Layer.effectContext(
    Effect.sync(() => {
      const asked: Array<MadeCharge> = []
      const answers = new Map<string, Charge>()

      const charge = (given: { readonly key: string; readonly account: string; readonly credits: number }) =>
        Effect.suspend(() => {
          const before = answers.get(given.key)
          if (before !== undefined) return Effect.succeed(before)
          const state = script({ ...given, index: asked.length })
          asked.push({ ...given, state })
          if (state === "unknown") return Effect.fail(new PaymentUnknown({ cause: "no answer" }))
          const answer = { state, payment: `pay-${given.key}` }
          answers.set(given.key, answer)
          return Effect.succeed(answer)
        })

      const payments = Payments.of({
        provider: "scripted",
        offSession: "always",
        priceOf: (credits) => ({ amount: credits, currency: "usd" }),
        checkout: ({ id, account, credits }) =>
          Effect.map(charge({ key: `purchase:${id}`, account, credits }), (made) => ({
            ...made,
            url: made.state === "pending" ? `https://pay.example/${id}` : null,
          })),
        charge,
        page: (checkout) => Effect.succeed({ order: null, payment: checkout, isExpired: false }),
        payment: (payment) => {
          const [key, made] = [...answers].find(([, answer]) => answer.payment === payment) ?? []
          const credits = asked.find((each) => each.key === key)?.credits ?? 0
          return key === undefined || made === undefined
            ? new PaymentUnknown({ cause: "no such payment" })
            : Effect.succeed({
                ...made,
                order: key.replace(/^purchase:/, ""),
                money: { amount: credits, currency: "usd" },
                payer: null,
              })
        },
        returns: () => Effect.succeed([]),
        readNotice: () => new NoticeInvalid({ detail: "Nothing sends notices here." }),
      })
      return Context.make(Payments, payments).pipe(
        Context.add(ScriptedPayments, { charges: Effect.sync(() => [...asked]) }),
      )
    }),
  )
