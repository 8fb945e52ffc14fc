/** The real host in this process, with scripted speech and the built application. */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

import { Agents, Console, HttpHost } from "@earmark/http"
import { makeConnector, serviceBackends } from "@earmark/mcp"
import {
  Customers,
  DeliveryConfig,
  Diarizer,
  Earmark,
  Fetcher,
  FetchFailed,
  Identities,
  JobNews,
  Keys,
  layerTelling,
  makeSignInLink,
  ObjectStoreMemory,
  Scripted,
  Secrets,
  ServiceConfig,
  SignInApiKey,
  SpeechEngine,
  StoreMemory,
  StoreSettings,
  WorkerConfig,
} from "@earmark/service"
import { Effect, Layer, Logger, LogLevel, ManagedRuntime } from "effect"
import { freePort } from "../servers/processes.js"
import { spokenIn, turnsUntil } from "./conversation.js"

/** A recording in this language is never done: its job is one that runs. */
export const UNENDING = "fr"

const engine = Layer.succeed(SpeechEngine, {
  capabilities: {
    id: "scripted",
    model: "scripted-1",
    languages: "any",
    detectsLanguage: true,
    wordTimes: true,
    confidence: true,
    vocabulary: "prompt",
    qualities: ["fast", "accurate"],
    concurrency: 2,
    windows: { longest: 28_000, joinUpTo: 25_000 },
    isDraft: false,
    isStandIn: true,
  },
  recognize: (window, { language }) => {
    const answer = {
      words: spokenIn(window),
      language: { code: language ?? "en", confidence: 0.97 },
      warnings: [],
    }
    return language === UNENDING && window.index > 2 ? Effect.never : Effect.succeed(answer)
  },
})

const diarizer = Layer.succeed(Diarizer, {
  id: "scripted",
  open: () =>
    Effect.sync(() => {
      let length = 0
      return {
        hear: ({ end }) =>
          Effect.sync(() => {
            length = end
          }),
        turns: Effect.suspend(() => Effect.succeed(turnsUntil(length))),
      }
    }),
})

const noWeb = new FetchFailed({
  reason: "name_unknown",
  detail: "There is no such site",
  status: null,
  retryAfter: null,
  isTransient: false,
})

const door = Layer.succeed(Fetcher, { fetch: () => noWeb, download: () => noWeb })

export interface ConsoleServer {
  readonly origin: string
  /** Of an account with credits that bought some. */
  readonly key: string
  /** The address of a sign-in link for that account. */
  readonly newLink: () => Promise<string | null>
  readonly stop: () => Promise<void>
}

/** A receiver of webhooks fails where its address says so. */
const receiver = ({ url }: { readonly url: string }) =>
  url.includes("fail")
    ? {
        status: 503,
        headers: { "content-type": "text/html" },
        body: "<h1>Down for <script>alert(1)</script></h1>",
      }
    : { status: 200, headers: { "content-type": "application/json" }, body: '{"received":true}' }

const facts = (port: number, baseUrl: string) => ({
  baseUrl,
  rateLimits: { create: null, read: null, failures: null },
  registrations: null,
  corsOrigins: [],
  proxies: 0,
  issuer: null,
  logRequests: false,
  slots: { eventStreams: 100, waitingReads: 100 },
  metrics: "off" as const,
  metricsKey: null,
  host: "127.0.0.1",
  port,
})

const folder = fileURLToPath(new URL("../../packages/console/dist/", import.meta.url))

const connector = (baseUrl: string) =>
  Effect.gen(function* () {
    const backendFor = yield* serviceBackends({ baseUrl })
    const news = yield* JobNews
    return makeConnector({
      backendFor,
      news,
      sessions: true,
      resourceMetadataUrl: Agents.resourceMetadataUrl(baseUrl),
    })
  })

const ports = Layer.mergeAll(
  StoreMemory.layer,
  ObjectStoreMemory.layer,
  Scripted.layer({ receiver }),
  ServiceConfig.layer({ freeCredits: 20_000 }),
  WorkerConfig.layer({ slots: 4 }),
  DeliveryConfig.layer(),
  Secrets.layerEphemeral,
  door,
).pipe(Layer.merge(Layer.merge(engine, diarizer)))

const services = (baseUrl: string) =>
  Layer.merge(Earmark.useCases, Earmark.workers).pipe(
    Layer.provideMerge(Layer.provideMerge(layerTelling, ports)),
    Layer.provideMerge(Layer.succeed(StoreSettings, { baseUrl, maxAttempts: 3 })),
  )

/** Starts a service on a free port, with an account. */
export const startConsole = async (): Promise<ConsoleServer> => {
  if (!existsSync(`${folder}manifest.json`))
    throw new Error("The console is not built: run npm run build -w packages/console")
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const given = facts(port, origin)
  const mounts = Effect.map(
    Effect.all([Agents.mounts(given, connector(origin)), Console.mount({ baseUrl: origin, folder })]),
    ([agents, application]) => [...agents, application],
  )
  const all = HttpHost.layer(given, mounts).pipe(
    Layer.provideMerge(SignInApiKey.layer),
    Layer.provideMerge(Identities.layer({ newAccounts: false })),
    Layer.provideMerge(services(origin)),
    Layer.provide(Logger.minimumLogLevel(LogLevel.Error)),
  )
  const runtime = ManagedRuntime.make(all)
  const { id, key } = await runtime.runPromise(
    Effect.gen(function* () {
      const { id } = yield* (yield* Customers).create({ name: "Ann" })
      const { key } = yield* (yield* Keys).create(id, { name: "Laptop of Ann" }, "live")
      return { id, key }
    }),
  )
  return {
    origin,
    key,
    newLink: async () => Console.signInAddress(origin, await runtime.runPromise(makeSignInLink(id))),
    stop: () => runtime.dispose(),
  }
}
