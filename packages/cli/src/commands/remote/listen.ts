// @effect-diagnostics globalFetch:off -- a delivery is passed on to a program of this machine, with what Node brings
/** Shows deliveries as they come, for whoever builds a receiver. */

import { createServer, type Server } from "node:http"
import type { Receiving, WebhookEvent } from "@earmark/api/webhooks"
import { DateTime, Effect } from "effect"
import { failed, usage } from "../../CommandFailed.js"
import type { Given } from "../../grammar/Grammar.js"
import type { webhooks } from "../../grammar/remote.js"
import { HIGHEST_PORT } from "../../highestPort.js"
import { note } from "../../output.js"
import { askTarget, ifBlocked } from "../../remote/ask.js"
import { targetOf } from "../../remote/target.js"

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program does",
  EACCES: "only root may use so low a port",
}

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return REASONS["code" in cause ? String(cause.code) : ""] ?? cause.message
}

/** The server that takes the deliveries. */
const receiver = (receiving: Receiving) =>
  Effect.map(
    Effect.promise(() => import("@earmark/api/webhooks")),
    ({ answerDelivery }) =>
      createServer((request, response) => {
        answerDelivery(request, receiving).then(
          (status) => response.writeHead(status).end(),
          () => response.destroy(),
        )
      }),
  )

/** The port that it listens on. */
const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ host: "127.0.0.1", port }, () => {
      const address = server.address()
      resolve(address !== null && typeof address === "object" ? address.port : port)
    })
  })

const open = (server: Server, wanted: number) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => listening(server, wanted),
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
  "When the server is on this machine, start it with EARMARK_EGRESS_ALLOW=127.0.0.0/8; else give a public address that leads here with --url."

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

export const listen = (options: Given<typeof webhooks.commands.listen>) =>
  Effect.scoped(
    Effect.gen(function* () {
      if (options.port < 0 || options.port > HIGHEST_PORT)
        return yield* usage(`--port is at most ${HIGHEST_PORT}.`)
      const target = yield* targetOf(options)
      let secret: string | undefined
      const server = yield* receiver({
        secret: () => secret,
        onEvent: (event, body) => {
          process.stdout.write(options.json ? `${body}\n` : `${told(event)}\n`)
          if (options.forward !== undefined) void passOn(options.forward, body)
        },
        onRefused: (why) => process.stderr.write(`A delivery was refused: ${why}\n`),
      })
      const at = yield* open(server, options.port)
      const url = options.url ?? `http://127.0.0.1:${at}/`
      const endpoint = yield* Effect.acquireRelease(
        askTarget(target, (client, call) =>
          client.webhooks.create({ url, description: "earmark webhooks listen" }, call),
        ).pipe(ifBlocked(WAY_OUT)),
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
  )
