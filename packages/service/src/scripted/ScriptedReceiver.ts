import type { AttemptError } from "@earmark/core/wire"
import { Clock, Context, Effect, Layer } from "effect"
import { type SentAnswer, WebhookSender } from "../ports/WebhookSender.js"

/** A request as a receiver gets it. */
export interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What a receiver does: answers, cannot be reached, or keeps silent until the sender gives up. */
export type Reaction =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly error: AttemptError }
  | "silence"

/** `times` counts the requests that came to this address before. */
export type ReceiverScript = (request: Received, times: number) => Reaction

/** What the scripted receivers were sent, in order. */
export class ScriptedReceiver extends Context.Tag("@earmark/service/ScriptedReceiver")<
  ScriptedReceiver,
  { readonly received: Effect.Effect<ReadonlyArray<Received>> }
>() {}

const noAnswer = (error: AttemptError): SentAnswer => ({ status: null, error, headers: {}, body: "" })

const react = (reaction: Reaction, timeoutSeconds: number): Effect.Effect<SentAnswer> => {
  if (reaction === "silence") return Effect.delay(Effect.succeed(noAnswer("timeout")), timeoutSeconds * 1000)
  if ("error" in reaction) return Effect.succeed(noAnswer(reaction.error))
  const { status, headers = {}, body = "" } = reaction
  const isFine = status >= 200 && status < 300
  return Effect.succeed({ status, error: isFine ? null : "http_status", headers, body })
}

/** Deliveries that never leave the process. */
export const layer = (script: ReceiverScript = () => ({ status: 200 })) =>
  Layer.effectContext(
    Effect.sync(() => {
      const received: Array<Received> = []
      const sender = WebhookSender.of({
        post: Effect.fnUntraced(function* (url, { headers, body, timeoutSeconds }) {
          const request = { url, headers, body, at: yield* Clock.currentTimeMillis }
          const times = received.filter((before) => before.url === url).length
          received.push(request)
          return yield* react(script(request, times), timeoutSeconds)
        }),
      })
      return Context.make(WebhookSender, sender).pipe(
        Context.add(ScriptedReceiver, { received: Effect.sync(() => [...received]) }),
      )
    }),
  )
