// @effect-diagnostics globalDate:off -- for programs without Effect: the clock is an argument that may be left out
/** For programs that receive webhooks. */

import { verifyWebhook } from "@earmark/core/signing"
import type { Event } from "@earmark/core/wire"
import * as Either from "effect/Either"

/** What a delivery tells. `type` says of what; `id` is the same in every attempt. */
export type WebhookEvent = typeof Event.Encoded

export interface ReceivedDelivery {
  /** The body exactly as it came, before any parser: one changed byte and no signature matches. */
  readonly body: string | Uint8Array
  /** The header `Service-Signature`. */
  readonly signature: string | null | undefined
  /** The secret of the endpoint; both of them while it is rotated. */
  readonly secret: string | ReadonlyArray<string>
  /** How old a signature may be: 300 seconds when left out. */
  readonly toleranceSeconds?: number
  /** Unix seconds; the clock when left out. */
  readonly now?: number
}

/** The event of a delivery whose signature is genuine and fresh. Throws `SignatureInvalid` for any other. */
export const receiveWebhook = (delivery: ReceivedDelivery): WebhookEvent => {
  const { body, signature, secret, toleranceSeconds, now = Math.floor(Date.now() / 1000) } = delivery
  const verdict = verifyWebhook({
    raw: body,
    header: signature,
    secrets: typeof secret === "string" ? [secret] : secret,
    now,
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
  })
  if (Either.isLeft(verdict)) throw verdict.left
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body))
}
