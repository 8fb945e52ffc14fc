/** A service in memory behind a connector, and clients of it. */
import type { AccountId } from "@earmark/core/jobs"
import { HttpHost } from "@earmark/http"
import {
  type Caller,
  type ConnectorOptions,
  clientBackend,
  makeConnector,
  serviceBackends,
} from "@earmark/mcp"
import {
  CreditDesk,
  Customers,
  DeliveryConfig,
  Earmark,
  Keys,
  ObjectStoreMemory,
  RateLimiterMemory,
  Scripted,
  Secrets,
  ServiceConfig,
  StoreMemory,
  StoreSettings,
  WorkerConfig,
} from "@earmark/service"
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Effect, Layer, Logger, LogLevel, ManagedRuntime, Redacted } from "effect"
import { freePort } from "../../../test/servers/processes.js"

const ADDRESS = new URL("http://mcp.invalid/api/mcp")

type Facts = Parameters<typeof ServiceConfig.layer>[0]

const settingsWith = (config: Facts) =>
  Layer.mergeAll(
    ServiceConfig.layer(config),
    WorkerConfig.layer(),
    DeliveryConfig.layer(),
    Secrets.layerEphemeral,
  )

const stores = Layer.mergeAll(StoreMemory.layer, ObjectStoreMemory.layer, RateLimiterMemory.layer)

const serviceWith = (config: Facts) =>
  Layer.mergeAll(Earmark.useCases, Earmark.workers).pipe(
    Layer.provideMerge(Layer.mergeAll(stores, Scripted.layer(), settingsWith(config))),
  )

const silent = Logger.minimumLogLevel(LogLevel.None)

/** The same with the REST interface on a port. */
const served = (port: number, config: Facts) => {
  const baseUrl = `http://127.0.0.1:${port}`
  const facts: HttpHost.HostFacts = {
    host: "127.0.0.1",
    port,
    baseUrl,
    rateLimits: { create: null, read: null, failures: null },
    logRequests: false,
    metrics: "off",
    metricsKey: null,
    slots: { eventStreams: 10, waitingReads: 30 },
    corsOrigins: [],
    proxies: 0,
  }
  const known = Layer.effect(
    StoreSettings,
    Effect.map(StoreSettings, (current) => ({ ...current, baseUrl })),
  )
  return HttpHost.layer(facts).pipe(
    Layer.provideMerge(serviceWith(config)),
    Layer.provide(known),
    Layer.provide(silent),
  )
}

export const callerOf = (account: AccountId): Caller => ({
  account,
  scopes: ["transcriptions:read", "transcriptions:write", "billing:read"],
  key: null,
  isTest: false,
  canAskForScopes: false,
})

export type Era = "legacy" | "modern"

interface ClientFacts {
  readonly era?: Era
  readonly capabilities?: ClientOptions["capabilities"]
}

interface WorldFacts extends Partial<ConnectorOptions> {
  readonly config?: Facts
}

/** Ends with `stop`. */
export const startWorld = async ({ config = {}, ...options }: WorldFacts = {}) => {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const runtime = ManagedRuntime.make(served(port, config))
  const backendFor = await runtime.runPromise(serviceBackends({ baseUrl }))
  const connector = makeConnector({ backendFor, sessions: true, ...options })

  const newAccount = (credits = 10_000) =>
    runtime.runPromise(
      Effect.gen(function* () {
        const customers = yield* Customers
        const { id } = yield* customers.create({ name: "Ann" })
        if (credits > 0)
          yield* (yield* CreditDesk).grant(id, { credits, reference: `test ${id}`, asPurchase: true })
        return id
      }),
    )

  const connect = async (caller: Caller, { era = "modern", capabilities = {} }: ClientFacts = {}) => {
    const client = new Client(
      { name: "test", version: "1" },
      { capabilities, versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
    )
    const transport = new StreamableHTTPClientTransport(ADDRESS, {
      fetch: async (input, init) => connector.fetch(new Request(input, init), caller),
    })
    await client.connect(transport)
    return client
  }

  /** The REST interface, in the name of an account. */
  const clientFor = (account: AccountId) =>
    runtime.runPromise(
      Effect.gen(function* () {
        const { key } = yield* (yield* Keys).create(account, { name: "test" })
        return clientBackend({ baseUrl, apiKey: Redacted.make(key) })
      }),
    )

  return {
    runtime,
    clientFor,
    backendFor,
    connector,
    newAccount,
    connect,
    stop: async () => {
      await connector.close()
      await runtime.dispose()
    },
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>
