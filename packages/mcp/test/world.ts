/** A service in memory behind a connector, and clients of it. */
import type { AccountId } from "@earmark/core/jobs"
import { type Caller, type ConnectorOptions, makeConnector, serviceBackends } from "@earmark/mcp"
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
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Effect, Layer, Logger, LogLevel, ManagedRuntime } from "effect"

const ADDRESS = new URL("http://mcp.invalid/api/mcp")

const settings = Layer.mergeAll(
  ServiceConfig.layer(),
  WorkerConfig.layer(),
  DeliveryConfig.layer(),
  Secrets.layerEphemeral,
)

const stores = Layer.mergeAll(StoreMemory.layer, ObjectStoreMemory.layer)

const service = Layer.mergeAll(Earmark.useCases, Earmark.workers).pipe(
  Layer.provideMerge(Layer.mergeAll(stores, Scripted.layer(), settings)),
  Layer.provide(Logger.minimumLogLevel(LogLevel.None)),
)

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

/** Ends with `stop`. */
export const startWorld = async (options: Partial<ConnectorOptions> = {}) => {
  const runtime = ManagedRuntime.make(service)
  const backendFor = await runtime.runPromise(serviceBackends())
  const connector = makeConnector({ backendFor, sessions: true, ...options })

  const newAccount = (credits = 10_000) =>
    runtime.runPromise(
      Effect.gen(function* () {
        const customers = yield* Customers
        const { id } = yield* customers.create({ name: "Ann" })
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

  return {
    runtime,
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
