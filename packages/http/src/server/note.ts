import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect } from "effect"
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

/** Counts an answer, and writes a line about it without a path, a query or a name: those may hold what is nobody's business. */
export const makeNote =
  ({ logRequests }: { readonly logRequests: boolean }, meter: RequestMeter) =>
  ({ request, response, route, began, account }: Over): Effect.Effect<void> => {
    const milliseconds = performance.now() - began
    // A client that left has no answer: others write 499 for it.
    const status = response.headersSent ? response.statusCode : 499
    meter.record(methodOf(request), route, status, milliseconds / 1000)
    const isTold = logRequests && !isQuiet(route)
    return (isTold ? Effect.logInfo : Effect.logDebug)("request").pipe(
      Effect.annotateLogs({
        method: request.method ?? "",
        route,
        status,
        milliseconds: Math.round(milliseconds * 10) / 10,
        ...(account !== undefined && { account }),
      }),
    )
  }
