import { verifyWebhook } from "@earmark/core/signing"
import { Clock, Effect, Either } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { webhook } from "../grammar/local.js"
import { readAll, STANDARD_INPUT } from "../input.js"
import { print } from "../output.js"

const MAX_BODY_BYTES = 10_000_000

export const verify = (options: Given<typeof webhook.commands.verify>) =>
  Effect.gen(function* () {
    if (options.tolerance < 0) return yield* usage("--tolerance must be 0 or more: it counts seconds.")
    const raw = yield* readAll(STANDARD_INPUT, MAX_BODY_BYTES)
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const verdict = verifyWebhook({
      raw,
      header: options.header.replace(/^\s*service-signature\s*:/i, "").trim(),
      secrets: options.secret,
      now,
      toleranceSeconds: options.tolerance,
    })
    if (Either.isLeft(verdict)) {
      const { message } = verdict.left
      if (options.json) yield* print(`${JSON.stringify({ valid: false, why: message })}\n`)
      return yield* failed(`Not valid: ${message}`)
    }
    yield* print(
      options.json
        ? `${JSON.stringify({ valid: true })}\n`
        : "Valid: the body was signed with this secret.\n",
    )
  })
