// @effect-diagnostics globalFetch:off -- a delivery is passed on to a program of this machine, with what Node brings
/** Shows deliveries as they come, for whoever builds a receiver. */
import type { Server } from "node:http"
import type { WebhookEvent } from "@earmark/api/webhooks"
import { Command, Options } from "@effect/cli"
import { DateTime, Effect, Option } from "effect"
import { failed, usage } from "../../CommandFailed.js"
import type { Page } from "../../help.js"
import { HIGHEST_PORT } from "../../highestPort.js"
import { note } from "../../output.js"
import { askTarget } from "../../remote/ask.js"
import { targetOf } from "../../remote/target.js"
import { json } from "../administration/administer.js"
import { where } from "./options.js"

const port = Options.integer("port").pipe(
  Options.withDescription("The port of this machine to listen on; a free one when left out."),
  Options.withDefault(0),
)

const publicUrl = Options.text("url").pipe(
  Options.withDescription(
    "The address under which the service reaches that port, such as that of a tunnel; this machine's own when left out.",
  ),
  Options.optional,
)

const forward = Options.text("forward").pipe(
  Options.withDescription("Also post each delivery to this address, such as http://127.0.0.1:3000/hooks."),
  Options.optional,
)

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program does",
  EACCES: "only root may use so low a port",
}

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return REASONS["code" in cause ? String(cause.code) : ""] ?? cause.message
}

const open = (server: Server, wanted: number) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => (await import("../../remote/receiver.js")).listening(server, wanted),
      catch: (cause) =>
        failed(
          `Could not listen on port ${wanted}: ${reasonOf(cause)}. Give another --port, or none for a free one.`,
        ),
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )

const WAY_OUT =
  "When the service is on this machine, start it with EARMARK_EGRESS_ALLOW=127.0.0.0/8; else give a public address that leads here with --url."

const told = ({ id, type, created, data }: WebhookEvent): string => {
  const status = "transcription" in data ? data.transcription.status : ""
  const time = DateTime.formatIso(DateTime.unsafeMake(created * 1000)).slice(11, 19)
  return `${time}  ${type}  ${id}  ${status}`.trimEnd()
}

const FORWARD_MILLISECONDS = 10_000

/** Posts the same bytes on. What becomes of that is told, and changes nothing for the service. */
const passOn = async (url: string, body: string) => {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      signal: AbortSignal.timeout(FORWARD_MILLISECONDS),
    })
    process.stderr.write(`  ${url} answered ${answer.status}\n`)
  } catch (error) {
    process.stderr.write(`  ${url} did not answer: ${error instanceof Error ? error.message : error}\n`)
  }
}

export const listen = Command.make("listen", { ...where, port, publicUrl, forward, json }, (options) =>
  Effect.scoped(
    Effect.gen(function* () {
      if (options.port < 0 || options.port > HIGHEST_PORT)
        return yield* usage(`--port is at most ${HIGHEST_PORT}.`)
      const target = yield* targetOf(options)
      const { receiver } = yield* Effect.promise(() => import("../../remote/receiver.js"))
      let secret: string | undefined
      const server = receiver({
        secret: () => secret,
        onEvent: (event, body) => {
          process.stdout.write(options.json ? `${body}\n` : `${told(event)}\n`)
          if (Option.isSome(options.forward)) void passOn(options.forward.value, body)
        },
        onRefused: (why) => process.stderr.write(`A delivery was refused: ${why}\n`),
      })
      const at = yield* open(server, options.port)
      const url = Option.getOrElse(options.publicUrl, () => `http://127.0.0.1:${at}/`)
      const endpoint = yield* Effect.acquireRelease(
        askTarget(target, (client, { signal }) =>
          client.webhooks.create({ url, description: "earmark webhooks listen" }, { signal }),
        ).pipe(
          Effect.mapError((error) =>
            error.message.endsWith("[blocked_address]") ? failed(`${error.message} ${WAY_OUT}`) : error,
          ),
        ),
        ({ id }) =>
          askTarget(target, (client) => client.webhooks.delete(id)).pipe(
            Effect.catchAll(({ message }) =>
              note(
                `The endpoint ${id} is still registered (${message}). Take it away: earmark webhooks delete ${id}`,
              ),
            ),
          ),
      )
      secret = endpoint.secret
      yield* note(`Listening on ${url} for ${target.baseUrl}. Ctrl-C ends it, and takes the endpoint away.`)
      return yield* Effect.never
    }),
  ),
).pipe(Command.withDescription("Register this machine as an endpoint, and show what comes, until Ctrl-C."))

export const listenPage: Page = {
  name: "listen",
  descriptor: listen.descriptor,
  examples: ["earmark webhooks listen", "earmark webhooks listen --forward http://127.0.0.1:3000/hooks"],
  children: [],
}
