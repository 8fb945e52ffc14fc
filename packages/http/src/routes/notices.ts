import { KeylessApi } from "@earmark/api"
import { PaymentNotices } from "@earmark/service"
import { Effect } from "effect"
import { notFound } from "../answers/Refusal.js"
import type { Reply } from "../answers/Reply.js"
import { readBytes } from "../requests/readBody.js"
import type { Route } from "./Route.js"

const taken: Reply = { status: 200, headers: {}, body: null }

/** What a payment provider tells. It is taken as bytes: nothing is read of it before its signature was found right. */
export const noticeRoutes = Effect.map(
  PaymentNotices,
  (notices): ReadonlyArray<Route> => [
    {
      method: KeylessApi.takeNotice.method,
      path: KeylessApi.takeNotice.path,
      answer: {
        type: "open",
        reply: ({ path, request }) =>
          path.provider === notices.provider
            ? readBytes(request).pipe(
                Effect.flatMap((raw) => notices.receive({ raw, headers: request.headers })),
                Effect.as(taken),
              )
            : notFound,
      },
    },
  ],
)
