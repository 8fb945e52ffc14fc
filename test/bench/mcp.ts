/** The MCP connector over the use cases: the list of tools, and pages of a transcript of ten hours, for ten clients at once. */
import { type Connector, makeConnector, serviceBackends } from "@earmark/mcp"
import {
  CreditDesk,
  Customers,
  DeliveryConfig,
  Earmark,
  ObjectStoreMemory,
  Scripted,
  Secrets,
  ServiceConfig,
  StoreMemory,
  WorkerConfig,
} from "@earmark/service"
import { Effect, Layer, ManagedRuntime } from "effect"
import { atMost, main, type Outcome, sized } from "./harness.js"

const TEN_HOURS = sized(36_000, 600)
const CLIENTS = 10
const CALLS = sized(300, 10)
const WARM_UP = sized(50, 2)

const settings = Layer.mergeAll(
  ServiceConfig.layer({ billing: false }),
  WorkerConfig.layer(),
  DeliveryConfig.layer(),
  Secrets.layerEphemeral,
)

const service = Layer.mergeAll(Earmark.useCases, Earmark.workers).pipe(
  Layer.provideMerge(Layer.mergeAll(StoreMemory.layer, ObjectStoreMemory.layer, Scripted.layer(), settings)),
)

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
}

type Ask = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>

const askerOf =
  (connector: Connector, caller: Parameters<Connector["fetch"]>[1]): Ask =>
  async (method, params) => {
    const answer = await connector.fetch(
      new Request("http://mcp.invalid/api/mcp", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          "MCP-Protocol-Version": "2026-07-28",
          "Mcp-Method": method,
          ...(typeof params.name === "string" && { "Mcp-Name": params.name }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }),
      }),
      caller,
    )
    return JSON.parse(await answer.text()).result
  }

const within = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce((inner, name) => Object(inner)[name], value)

/** Half of the calls are answered in this time, with so many clients at once; and processor time of one call. */
const measure = async (clients: number, call: () => Promise<unknown>) => {
  for (let warm = 0; warm < WARM_UP; warm++) await call()
  const times: Array<number> = []
  const before = process.cpuUsage()
  const client = async () => {
    while (times.length < CALLS) {
      const started = performance.now()
      await call()
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const { user, system } = process.cpuUsage(before)
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(times.length / 2)] ?? 0, processor: (user + system) / 1000 / times.length }
}

/** On a busy machine the clock on the wall measures the others: the bar is on what ten calls in turn take of a processor. */
const outcome = (bench: string, processor: number, p50: number, most: number): Outcome =>
  atMost(`${bench} (${p50.toFixed(1)} ms on the wall)`, processor, most, " ms")

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const runtime = ManagedRuntime.make(service)
  const account = await runtime.runPromise(
    Effect.gen(function* () {
      const { id } = yield* (yield* Customers).create({ name: "bench" })
      yield* (yield* CreditDesk).grant(id, { credits: 10_000, reference: "bench", asPurchase: true })
      return id
    }),
  )
  const backendFor = await runtime.runPromise(serviceBackends({ baseUrl: "http://mcp.invalid" }))
  const connector = makeConnector({ backendFor, sessions: false })
  const ask = askerOf(connector, {
    account,
    scopes: ["transcriptions:read", "transcriptions:write"],
    key: null,
    isTest: false,
    canAskForScopes: false,
  })
  const url = `https://a.example/long.mp3?seconds=${TEN_HOURS}`
  const made = await ask("tools/call", { name: "transcribe", arguments: { url, wait_seconds: 50 } })
  const id = within(made, "structuredContent", "id")
  const read = () => ask("tools/call", { name: "get_transcription", arguments: { id, wait_seconds: 50 } })
  const first = await read()
  const characters = within(first, "structuredContent", "returned_chars")
  const total = within(first, "structuredContent", "total_chars")
  const list = await measure(1, () => ask("tools/list", {}))
  const pages = await measure(CLIENTS, read)
  await connector.close()
  await runtime.dispose()
  return [
    outcome("tools/list", list.processor, list.p50, 10),
    outcome(
      `${CLIENTS} x a page of ${characters} of ${total} characters`,
      pages.processor * CLIENTS,
      pages.p50,
      30,
    ),
  ]
}

await main({ run })
