import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, LogLevel } from "effect"
import type { RequestMeter } from "../metrics/RequestMeter.js"

/** Asked every few seconds by machines: nobody wants to read of it. */
const QUIET: ReadonlyArray<string> = ["/healthz", "/readyz", "/metrics"]

export const isQuiet = (route: string): boolean => QUIET.includes(route)

const METHODS: ReadonlyArray<string> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/** Any text can be a method; there are to be few labels. */
export const methodOf = ({ method }: IncomingMessage): string =>
  method !== undefined && METHODS.includes(method) ? method : "other"

/** An exchange that is over, one way or another. */
interface Over {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The template of the route, which holds nothing that a client made up. */
  readonly route: string
  /** By `performance.now`. */
  readonly began: number
  readonly account: string | undefined
}

const statusOf = (response: ServerResponse): number =>
  // A client that left has no answer: others write 499 for it.
  response.headersSent ? response.statusCode : 499

export const count = (meter: RequestMeter, { request, response, route, began }: Over): void =>
  meter.record(methodOf(request), route, statusOf(response), (performance.now() - began) / 1000)

interface Telling {
  readonly logRequests: boolean
}

const levelOf = ({ logRequests }: Telling, route: string): LogLevel.LogLevel =>
  logRequests && !isQuiet(route) ? LogLevel.Info : LogLevel.Debug

/** Whether the line about an answer is written at all: most services write none, and there is one for each request. */
export const isTold = (facts: Telling, route: string, least: LogLevel.LogLevel): boolean =>
  LogLevel.lessThanEqual(least, levelOf(facts, route))

/** Writes a line about an answer without a path, a query or a name: those may hold what is nobody's business. */
export const tell = (
  facts: Telling,
  { request, response, route, began, account }: Over,
): Effect.Effect<void> =>
  Effect.logWithLevel(levelOf(facts, route), "request").pipe(
    Effect.annotateLogs({
      method: request.method ?? "",
      route,
      status: statusOf(response),
      milliseconds: Math.round((performance.now() - began) * 10) / 10,
      ...(account !== undefined && { account }),
    }),
  )

/** Counts an answer, and tells of it. */
export const makeNote =
  (facts: Telling, meter: RequestMeter) =>
  (over: Over): Effect.Effect<void> =>
    Effect.suspend(() => {
      count(meter, over)
      return tell(facts, over)
    })
