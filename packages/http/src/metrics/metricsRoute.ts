import { timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { Figures, TimeLimit } from "@earmark/service"
import { Effect, Redacted } from "effect"
import { notFound, Refusal } from "../answers/Refusal.js"
import type { Reply } from "../answers/Reply.js"
import { headerOf } from "../requests/Arrived.js"
import { isUnderOwnName } from "../requests/isUnderOwnName.js"
import { page } from "../routes/page.js"
import { EXPOSITION_TYPE, exposition } from "./exposition.js"
import { watchProcess } from "./processFamilies.js"
import type { RequestMeter } from "./RequestMeter.js"
import { storeFamilies } from "./storeFamilies.js"
import { workFamilies } from "./workFamilies.js"

/** Who may read the metrics: programs of this machine that ask for it by its name, whoever reaches the port, or nobody; with a key, whoever has it. */
export interface MetricsAccess {
  readonly metrics: "local" | "open" | "off"
  readonly metricsKey: Redacted.Redacted<string> | null
  readonly baseUrl: string
}

/** Scrapes that follow each other quicker than this see the same figures of the store. */
const FRESH_FOR = "5 seconds"
const ANSWERED_WITHIN = "2 seconds"

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/
/** What proxies add: then the request comes from somewhere else. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip", "via"]

const isLocal = (request: IncomingMessage, baseUrl: string): boolean =>
  LOOPBACK.test(request.socket.remoteAddress ?? "") &&
  FORWARDED.every((name) => request.headers[name] === undefined) &&
  isUnderOwnName(request, baseUrl)

const isSame = (given: string, wanted: string): boolean => {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const unauthorized = new Refusal({
  code: "unauthorized",
  detail: "Send the key of the metrics: Authorization: Bearer ...",
  headers: { "WWW-Authenticate": "Bearer" },
})

const allow = (
  { metrics, metricsKey, baseUrl }: MetricsAccess,
  request: IncomingMessage,
): Effect.Effect<void, Refusal> => {
  if (metrics === "off") return notFound
  if (metricsKey !== null) {
    const given = /^bearer +(\S+)$/i.exec(headerOf(request, "authorization") ?? "")?.[1] ?? ""
    return isSame(given, Redacted.value(metricsKey)) ? Effect.void : unauthorized
  }
  return metrics === "open" || isLocal(request, baseUrl) ? Effect.void : notFound
}

/** The figures of operators, as Prometheus reads them. Nothing of it tells of one account. */
export const makeMetricsRoute = (access: MetricsAccess, meter: RequestMeter) =>
  Effect.gen(function* () {
    const store = yield* Figures
    const watch = yield* Effect.acquireRelease(Effect.sync(watchProcess), ({ stop }) => Effect.sync(stop))
    const figures = yield* Effect.cachedWithTTL(
      store.read.pipe(
        TimeLimit.timeout(ANSWERED_WITHIN),
        Effect.catchAllCause((cause) =>
          Effect.as(Effect.logDebug("The store tells no figures", cause), null),
        ),
      ),
      FRESH_FOR,
    )
    return page("/metrics", ({ request }) =>
      Effect.gen(function* () {
        yield* allow(access, request)
        const families = [
          ...storeFamilies(yield* figures),
          ...workFamilies(),
          meter.family(),
          ...watch.families(),
        ]
        const reply: Reply = {
          status: 200,
          headers: { "Content-Type": EXPOSITION_TYPE },
          body: exposition(families),
        }
        return reply
      }),
    )
  })
