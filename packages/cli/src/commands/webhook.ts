import { Command, Options } from "@effect/cli"
import { Clock, Effect, Either } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Page } from "../help.js"
import { readAll, STANDARD_INPUT } from "../input.js"
import { print } from "../output.js"
import { jsonAnswer } from "./administration/administer.js"

const MAX_BODY_BYTES = 10_000_000

const secrets = Options.text("secret").pipe(
  Options.withDescription(
    "The endpoint's signing secret (whsec_...); may be given twice while one is rotated.",
  ),
  Options.atLeast(1),
)

const header = Options.text("header").pipe(
  Options.withDescription("The Service-Signature header of the delivery: t=...,v1=..."),
)

const tolerance = Options.integer("tolerance").pipe(
  Options.withDescription("How many seconds the signature may be old, or in the future (default 300)."),
  Options.withDefault(300),
)

const verify = Command.make("verify", { secrets, header, tolerance, json: jsonAnswer }, (options) =>
  Effect.gen(function* () {
    if (options.tolerance < 0) return yield* usage("--tolerance must be 0 or more: it counts seconds.")
    const { verifyWebhook } = yield* Effect.promise(() => import("@earmark/core/signing"))
    const raw = yield* readAll(STANDARD_INPUT, MAX_BODY_BYTES)
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const verdict = verifyWebhook({
      raw,
      header: options.header.replace(/^\s*service-signature\s*:/i, "").trim(),
      secrets: options.secrets,
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
  }),
).pipe(
  Command.withDescription("Check the signature of a webhook delivery; the raw body comes on standard input."),
)

export const webhook = Command.make("webhook").pipe(
  Command.withDescription("Work with webhook deliveries."),
  Command.withSubcommands([verify]),
)

export const webhookPage: Page = {
  name: "webhook",
  descriptor: webhook.descriptor,
  examples: ['earmark webhook verify --secret "$SECRET" --header "$SIGNATURE" < body.json'],
  children: [
    {
      name: "verify",
      descriptor: verify.descriptor,
      examples: ['earmark webhook verify --secret "$SECRET" --header "$SIGNATURE" < body.json'],
      children: [],
    },
  ],
}
