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
  type JobQueue,
  Keys,
  layerTelling,
  makeSignInLink,
  type OAuthRecords,
  ObjectStoreMemory,
  PaymentsManual,
  Scripted,
  Secrets,
  ServiceConfig,
  type SignIn,
  SignInApiKey,
  SpeechEngine,
  StoreMemory,
  StoreSettings,
  WorkerConfig,
} from "@earmark/service"
import { Duration, Effect, Layer, Logger, LogLevel, ManagedRuntime } from "effect"
import { movableClock } from "../../packages/http/test/agents/world.js"
import { freePort } from "../servers/processes.js"
import { spokenIn, turnsUntil } from "./conversation.js"
import { uploadsDecoded } from "./recording.js"

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
  readonly account: string
  /** The address of a sign-in link for that account; with `isOperator` one of the operator. */
  readonly newLink: (options?: { readonly isOperator?: boolean }) => Promise<string>
  readonly run: <A, E>(effect: Effect.Effect<A, E, JobQueue>) => Promise<A>
  /** Puts the clock of the server forward. */
  readonly advance: (seconds: number) => void
  readonly stop: () => Promise<void>
}

/** A receiver of webhooks fails, or is gone, where its address says so. */
const receiver = ({ url }: { readonly url: string }) => {
  if (url.includes("gone")) return { status: 410, headers: {}, body: "" }
  return url.includes("fail")
    ? {
        status: 503,
        headers: { "content-type": "text/html" },
        body: "<h1>Down for <script>alert(1)</script></h1>",
      }
    : { status: 200, headers: { "content-type": "application/json" }, body: '{"received":true}' }
}

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

/** What a machine says of itself. */
const machine: HttpHost.HostFacts["machine"] = {
  checks: Effect.succeed([
    { name: "engine", status: "ok", detail: "sherpa: the best that is here", fix: null },
    {
      name: "ffmpeg",
      status: "missing",
      detail: "turns media into sound",
      fix: "sudo apt-get install ffmpeg",
    },
    { name: "yt-dlp", status: "unused", detail: "social links", fix: "sudo apt-get install yt-dlp" },
  ]),
  storage: Effect.succeed({
    database: "embedded",
    uploads: "folder",
    folder: "/var/lib/earmark",
    free_bytes: 12_000_000_000,
    total_bytes: 50_000_000_000,
    kept_seconds: {
      transcripts: null,
      unused_uploads: 86_400,
      waiting_for_credits: 259_200,
      repeated_answers: 86_400,
    },
  }),
  settings: [
    {
      title: "Where data is kept",
      settings: [
        {
          name: "EARMARK_DATA_DIR",
          value: "/var/lib/earmark",
          is_set: true,
          default: ".earmark",
          sentence: "The folder of the embedded database, uploads and the secrets key.",
        },
        {
          name: "EARMARK_SECRETS_KEY",
          value: null,
          is_set: true,
          default: "a file in the data folder",
          sentence: "The key that encrypts webhook secrets and hashes API keys.",
        },
        {
          name: "EARMARK_MIGRATE",
          value: null,
          is_set: false,
          default: "`on`",
          sentence: "Whether an older Postgres database is migrated at start.",
        },
      ],
    },
  ],
}

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
  // Jobs that tests leave running are not waited for.
  WorkerConfig.layer({ slots: 4, grace: Duration.millis(100) }),
  DeliveryConfig.layer(),
  Secrets.layerEphemeral,
  door,
).pipe(Layer.merge(Layer.merge(engine, diarizer)))

interface Options {
  /** Whether uploads are real recordings, which are decoded and played. */
  readonly decodes?: boolean
  /** Whether jobs are worked on. */
  readonly works?: boolean
  /** Whether the operator confirms purchases, in place of a provider who takes the money. */
  readonly isPaidByHand?: boolean
  /** Whether the server charges nothing. */
  readonly isFree?: boolean
  /** Where people sign in elsewhere; whoever comes gets an account. */
  readonly signIn?: (origin: string) => Layer.Layer<SignIn, never, Identities | Keys | OAuthRecords | Secrets>
}

const portsFor = (isFree: boolean) =>
  Layer.merge(ports, ServiceConfig.layer({ freeCredits: 20_000, billing: !isFree }))

const services = (
  baseUrl: string,
  { decodes = false, works = true, isPaidByHand = false, isFree = false }: Options,
) =>
  Layer.mergeAll(Earmark.useCases, Earmark.administration, works ? Earmark.workers : Layer.empty).pipe(
    Layer.provide(isPaidByHand ? PaymentsManual.layer : Layer.empty),
    Layer.provideMerge(
      Layer.provideMerge(
        layerTelling,
        decodes ? Layer.provideMerge(uploadsDecoded, portsFor(isFree)) : portsFor(isFree),
      ),
    ),
    Layer.provideMerge(Layer.succeed(StoreSettings, { baseUrl, maxAttempts: 3 })),
  )

/** Starts a service on a free port, with an account. */
export const startConsole = async (options: Options = {}): Promise<ConsoleServer> => {
  if (!existsSync(`${folder}manifest.json`))
    throw new Error("The console is not built: run npm run build -w packages/console")
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const given = facts(port, origin)
  const mounts = Effect.map(
    Effect.all([Agents.mounts(given, connector(origin)), Console.mount({ baseUrl: origin, folder })]),
    ([agents, application]) => [...agents, application],
  )
  const all = HttpHost.layer({ ...given, machine }, mounts).pipe(
    Layer.provideMerge(options.signIn?.(origin) ?? SignInApiKey.layer),
    Layer.provideMerge(Identities.layer({ newAccounts: options.signIn !== undefined })),
    Layer.provideMerge(services(origin, options)),
    Layer.provide(Logger.minimumLogLevel(LogLevel.Error)),
  )
  const { clock, advance } = movableClock()
  const runtime = ManagedRuntime.make(all.pipe(Layer.provideMerge(Layer.setClock(clock))))
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
    account: id,
    newLink: async (options) =>
      Console.signInAddress(origin, await runtime.runPromise(makeSignInLink(id, options))) ?? "",
    run: (effect) => runtime.runPromise(effect),
    advance,
    stop: () => runtime.dispose(),
  }
}
