import { Effect } from "effect"
import type { Write } from "../answers/Reply.js"
import type { Arrived } from "../requests/Arrived.js"
import { makeAuthenticate } from "../requests/authenticate.js"

const HEARTBEAT = "15 seconds"

/** The headers of a stream of server-sent events. */
export const EVENT_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Proxies are not to gather events before they pass them on.
  "X-Accel-Buffering": "no",
} as const

/** Writes a comment every few seconds, so that the connection is kept. Ends when the key of the request is good no more. */
export const makeHeartbeat = (baseUrl: string) =>
  Effect.map(
    makeAuthenticate(baseUrl),
    (authenticate) =>
      (write: Write, { request }: Pick<Arrived, "request">) =>
        Effect.sleep(HEARTBEAT).pipe(
          Effect.zipRight(authenticate(request)),
          Effect.as(true),
          Effect.catchTags({
            Unauthorized: () => Effect.succeed(false),
            StorageError: () => Effect.succeed(true),
          }),
          Effect.tap((isGood) => (isGood ? write(": still here\n\n") : Effect.void)),
          Effect.repeat({ while: (isGood) => isGood }),
        ),
  )
