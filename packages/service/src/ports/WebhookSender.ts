import type { AttemptError } from "@earmark/core/wire"
import { Context, type Effect } from "effect"

export interface SentAnswer {
  readonly status: number | null
  readonly error: AttemptError | null
  readonly headers: Readonly<Record<string, string>>
  /** At most the first 16 kB; the connection is cut there. */
  readonly body: string
}

/** Posts a delivery: one deadline over everything, no redirects, public addresses only. Never fails: every way it can end is an answer. */
export class WebhookSender extends Context.Tag("@earmark/service/WebhookSender")<
  WebhookSender,
  {
    readonly post: (
      url: string,
      request: {
        readonly headers: Readonly<Record<string, string>>
        readonly body: string
        readonly timeoutSeconds: number
      },
    ) => Effect.Effect<SentAnswer>
  }
>() {}
