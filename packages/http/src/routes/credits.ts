import { CreditsApi } from "@earmark/api"
import { decodeQuote } from "@earmark/core/jobs"
import { CreditDesk, Purchases, Quotes } from "@earmark/service"
import { Effect } from "effect"
import { placed, replay, route, routeReading, told } from "./Route.js"

export const creditRoutes = Effect.gen(function* () {
  const desk = yield* CreditDesk
  const purchases = yield* Purchases
  const quotes = yield* Quotes

  return [
    route(CreditsApi.get, ({ caller }) => told(desk.get(caller.account))),
    route(CreditsApi.entries, ({ caller, query }) => told(desk.entries(caller.account, query))),
    route(CreditsApi.putAutoReload, ({ body, caller }) => told(desk.putAutoReload(caller.account, body))),
    route(CreditsApi.purchase, ({ body, caller, context }) =>
      Effect.map(purchases.begin(caller.account, body, context), ({ answer, replayed }) => ({
        value: answer,
        headers: { ...replay(replayed), ...placed(CreditsApi.getPurchase, answer.id) },
      })),
    ),
    route(CreditsApi.purchases, ({ caller, query }) => told(purchases.list(caller.account, query))),
    route(CreditsApi.getPurchase, ({ caller, path }) => told(purchases.get(caller.account, path.id))),
    routeReading(CreditsApi.quote, { body: decodeQuote }, ({ body, caller }) =>
      told(quotes.quote(caller.account, body)),
    ),
    route(CreditsApi.usage, ({ caller, query }) => told(desk.usage(caller.account, query))),
  ]
})
