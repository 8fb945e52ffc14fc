/** Webhook deliveries of one worker to a receiver next door, on Postgres: signed, sent over HTTP, written down. */

import { Agent, request } from "node:http"
import { Worker } from "node:worker_threads"
import { type AccountId, closedCircuit, EndpointId } from "@earmark/core/jobs"
import {
  Deliveries,
  DeliveryConfig,
  Secrets,
  type SentAnswer,
  WebhookSender,
  WebhookStore,
} from "@earmark/service"
import { Effect, Fiber, Layer, ManagedRuntime } from "effect"
import type { Client } from "pg"
import { median, newAccount, newId, startStores } from "./database/measure.js"
import { absolute, main, type Outcome, sized } from "./harness.js"

const DELIVERIES = sized(2000, 50)
const ENDPOINTS = sized(32, 2)
const ROUNDS = sized(3, 1)

// In a thread of its own, so that the sender does not pay for it.
const RECEIVER = `
const { createServer } = require("node:http")
const { parentPort } = require("node:worker_threads")
const server = createServer((incoming, answer) => {
  incoming.resume()
  incoming.on("end", () => answer.end("ok"))
})
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))
`

/** Answers 200 to everything. */
const startReceiver = async () => {
  const worker = new Worker(RECEIVER, { eval: true })
  const port = await new Promise<number>((resolve) => worker.once("message", resolve))
  return { url: `http://127.0.0.1:${port}/`, stop: () => worker.terminate() }
}

const unreached: SentAnswer = { status: null, error: "refused", headers: {}, body: "" }

/** Plain HTTP without a look at the address: the guarded sender refuses receivers next door, and is measured with its own door. */
const plainSender = () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const post: WebhookSender["Type"]["post"] = (url, { headers, body }) =>
    Effect.async<SentAnswer>((resume) => {
      const sent = request(url, { method: "POST", agent, headers }, (answer) => {
        let text = ""
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part
        })
        answer.on("end", () => {
          resume(Effect.succeed({ status: answer.statusCode ?? 0, error: null, headers: {}, body: text }))
        })
      })
      sent.on("error", () => resume(Effect.succeed(unreached)))
      sent.end(body)
    })
  return { layer: Layer.succeed(WebhookSender, { post }), post, stop: () => agent.destroy() }
}

const seed = async (client: Client, account: AccountId, endpoints: ReadonlyArray<EndpointId>) => {
  await client.query("TRUNCATE webhook_event, webhook_delivery, webhook_attempt")
  await client.query(
    `INSERT INTO webhook_event (id, account_id, type, body, created_at)
    SELECT 'tr_' || g || '.done', $1, 'transcription.completed', repeat('x', 400), now() FROM generate_series(1, $2::int) g`,
    [account, DELIVERIES],
  )
  await client.query(
    `INSERT INTO webhook_delivery (id, event_id, endpoint_id, account_id, event_type, state, trigger, next_at, created_at)
    SELECT 'dl_' || g, 'tr_' || g || '.done', ($2::text[])[1 + g % $3::int], $1, 'transcription.completed', 'pending', 'auto', now(), now()
    FROM generate_series(1, $4::int) g`,
    [account, endpoints, endpoints.length, DELIVERIES],
  )
  await client.query("VACUUM ANALYZE webhook_delivery, webhook_event")
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const succeeded = async (client: Client) => {
  const { rows } = await client.query<{ count: string }>(
    "SELECT count(*) FROM webhook_delivery WHERE state = 'succeeded' AND attempts = 1",
  )
  return Number(rows[0]?.count)
}

const perSecond = (started: number) => (DELIVERIES * 1000) / (performance.now() - started)

/** The requests alone, as many at once as the loop has under way. */
const requestsAlone = async (post: WebhookSender["Type"]["post"], url: string) => {
  const started = performance.now()
  const one = post(url, { headers: {}, body: "x".repeat(400), timeoutSeconds: 10 })
  await Effect.runPromise(
    Effect.forEach(Array.from({ length: DELIVERIES }), () => one, { concurrency: 64, discard: true }),
  )
  return perSecond(started)
}

const newEndpoint = (account: AccountId, url: string) =>
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const store = yield* WebhookStore
    const id = EndpointId.make(newId("endpoint"))
    const endpoint = {
      id,
      account,
      url,
      description: null,
      events: ["transcription.completed"] as const,
      enabled: true,
      disabledReason: null,
      secrets: [{ sealed: yield* secrets.seal("whsec_c2VjcmV0", id), endsAt: null }],
      circuit: closedCircuit,
      createdAt: Date.now(),
    }
    yield* store.createEndpoint(endpoint, { guard: null })
    return id
  })

interface Pace {
  readonly perSecond: number
  readonly processor: number
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { stores, client, stop } = await startStores()
  const [receiver, sender] = [await startReceiver(), plainSender()]
  const secrets = Secrets.layerEphemeral
  const worker = ManagedRuntime.make(
    Deliveries.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(sender.layer, secrets, DeliveryConfig.layer())),
      Layer.provideMerge(
        Layer.effectContext(stores.runtimeEffect.pipe(Effect.map(({ context }) => context))),
      ),
    ),
  )
  try {
    const account = await newAccount(stores)
    const endpoints: Array<EndpointId> = []
    for (let made = 0; made < ENDPOINTS; made++) {
      endpoints.push(await worker.runPromise(newEndpoint(account, receiver.url)))
    }
    const deliver = async (to: ReadonlyArray<EndpointId>): Promise<Pace> => {
      await seed(client, account, to)
      const [started, before] = [performance.now(), process.cpuUsage()]
      const running = worker.runFork(Effect.flatMap(Deliveries, (deliveries) => deliveries.run))
      while ((await succeeded(client)) < DELIVERIES) await pause(20)
      const used = process.cpuUsage(before)
      const pace = { perSecond: perSecond(started), processor: (used.user + used.system) / 1000 / DELIVERIES }
      await Effect.runPromise(Fiber.interrupt(running))
      return pace
    }
    const paces = { many: [] as Array<Pace>, one: [] as Array<Pace>, alone: [] as Array<number> }
    for (let round = 0; round < ROUNDS; round++) {
      paces.alone.push(await requestsAlone(sender.post, receiver.url))
      paces.many.push(await deliver(endpoints))
      paces.one.push(await deliver(endpoints.slice(0, 1)))
    }
    const alone = median(paces.alone)
    const row = (to: string, all: ReadonlyArray<Pace>, least: number): ReadonlyArray<Outcome> => {
      const ours = median(all.map(({ perSecond: each }) => each))
      return [
        {
          bench: `deliveries per second ${to}`,
          ours,
          rival: alone,
          rivalName: "the requests alone",
          ratio: ours / alone,
          bar: least === 0 ? "none: so many at once are allowed" : `>= ${least}`,
          pass: ours >= least,
        },
        absolute(
          `processor ms of the worker per delivery ${to}`,
          median(all.map(({ processor }) => processor)),
          "< 2",
          median(all.map(({ processor }) => processor)) < 2,
        ),
      ]
    }
    return [
      ...row(`to ${ENDPOINTS} endpoints`, paces.many, 500),
      ...row("to one endpoint, 4 at once", paces.one, 0),
    ]
  } finally {
    sender.stop()
    await receiver.stop()
    await worker.dispose()
    await stop()
  }
}

await main({ run })
