/** A host with the connector and the authorization server, in this process. */
import type { AccountId } from "@earmark/core/jobs"
import type { Scope } from "@earmark/core/wire"
import { type Caller, type ConnectorOptions, makeConnector, serviceBackends } from "@earmark/mcp"
import {
  type AccountLinks,
  type Accounts,
  type Administration,
  Customers,
  DeliveryConfig,
  Earmark,
  type FetchedAnswer,
  Fetcher,
  FetchFailed,
  type Figures,
  Identities,
  type Identity,
  JobNews,
  Keys,
  layerTelling,
  type OAuthRecords,
  ObjectStoreMemory,
  Operators,
  type RateLimiter,
  Scripted,
  Secrets,
  ServiceConfig,
  type SignIn,
  SignInApiKey,
  StoreMemory,
  type Stores,
  WorkerConfig,
} from "@earmark/service"
import { Clock, Duration, Effect, Layer, Logger, LogLevel, ManagedRuntime, Redacted, Stream } from "effect"
import { freePort } from "../../../../test/servers/processes.js"
import { Agents, HttpHost } from "../../src/index.js"
import { standInBackend, standInTools } from "./standIn.js"

/** What stands at addresses of the web, as far as the service can reach them. */
type Web = Map<string, { readonly status?: number; readonly body: unknown }>

const notThere = new FetchFailed({
  reason: "name_unknown",
  detail: "There is no such site",
  status: null,
  retryAfter: null,
  isTransient: false,
})

const door = (web: Web, asked: Array<string>) =>
  Layer.succeed(Fetcher, {
    fetch: ({ url }) =>
      Effect.suspend((): Effect.Effect<FetchedAnswer, FetchFailed> => {
        asked.push(url)
        const found = web.get(url)
        if (found === undefined) return notThere
        const bytes = new TextEncoder().encode(JSON.stringify(found.body))
        const headers = { "content-type": "application/json", "cache-control": "max-age=60" }
        return Effect.succeed({ status: found.status ?? 200, headers, url, body: Stream.make(bytes) })
      }),
    download: () => notThere,
  })

export interface HostOptions {
  readonly facts?: Partial<Agents.AgentFacts>
  /** Where it listens, for those who have to know before; otherwise a free one. */
  readonly port?: number
  readonly store?: Layer.Layer<Stores | AccountLinks | Figures | JobNews | RateLimiter>
  readonly signIn?: Layer.Layer<SignIn, never, Fetcher | Identities | Keys | OAuthRecords | Secrets>
  readonly newAccounts?: boolean
  readonly secretsKey?: Uint8Array
  readonly metrics?: "local"
  readonly metricsKey?: string
  /** How long the engine takes for half a minute of media, in milliseconds. */
  readonly hearsFor?: number
  readonly slots?: Partial<HttpHost.HostFacts["slots"]>
  readonly longestWait?: Duration.DurationInput
  readonly freeCredits?: number
  /** False: nothing costs, and no feature is locked. */
  readonly billing?: boolean
  /** Who operates the server when they sign in. */
  readonly operators?: ReadonlyArray<Identity>
  /** What the operator is told of the machine. */
  readonly machine?: HttpHost.HostFacts["machine"]
  /** Serves the tools of the product, and works on jobs. Without, two tools stand for them. */
  readonly product?: Pick<ConnectorOptions, "changes" | "extras">
}

export interface Host {
  readonly base: string
  readonly mcp: string
  /** Whom the connector answered, in order. */
  readonly callers: ReadonlyArray<Caller>
  readonly web: Web
  /** The addresses that were asked for on the web. */
  readonly asked: ReadonlyArray<string>
  readonly run: <A, E>(
    effect: Effect.Effect<
      A,
      E,
      AccountLinks | Accounts | Administration | Customers | Identities | Keys | OAuthRecords
    >,
  ) => Promise<A>
  /** A new account with a key of its own. */
  readonly newKey: (given?: {
    readonly scopes?: readonly [Scope, ...ReadonlyArray<Scope>]
    readonly test?: boolean
  }) => Promise<{ readonly account: AccountId; readonly key: string }>
  /** Puts the clock of the service forward. */
  readonly advance: (seconds: number) => void
  readonly stop: () => Promise<void>
}

/** The real clock, put forward. */
export const movableClock = () => {
  const real = Clock.make()
  let ahead = 0
  const now = () => real.unsafeCurrentTimeMillis() + ahead
  const clock: Clock.Clock = {
    ...real,
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now),
    sleep: (duration) => real.sleep(duration),
    unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
  }
  const advance = (seconds: number) => {
    ahead += seconds * 1000
  }
  return { clock, advance }
}

const unobserved = {
  logRequests: false,
  slots: { eventStreams: 10, waitingReads: 30 },
} as const

const signInOf = ({ signIn = SignInApiKey.layer }: HostOptions) => signIn

/** Starts a host on a free port. */
export const startHost = async (options: HostOptions = {}): Promise<Host> => {
  const port = options.port ?? (await freePort())
  const base = options.facts?.baseUrl ?? `http://127.0.0.1:${port}`
  const web: Web = new Map()
  const asked: Array<string> = []
  const callers: Array<Caller> = []
  const facts: Agents.AgentFacts = {
    baseUrl: base,
    rateLimits: { create: null, read: null, failures: null },
    registrations: null,
    corsOrigins: [],
    proxies: 0,
    issuer: null,
    ...options.facts,
  }
  const connector = Effect.gen(function* () {
    const backends = yield* serviceBackends({ baseUrl: base })
    const news = yield* JobNews
    return makeConnector({
      news,
      sessions: true,
      resourceMetadataUrl: Agents.resourceMetadataUrl(base),
      backendFor: (caller) => {
        callers.push(caller)
        return options.product === undefined ? standInBackend : backends(caller)
      },
      ...(options.product ?? { extras: standInTools }),
    })
  })
  const settings = Layer.mergeAll(
    ServiceConfig.layer({
      ...(options.freeCredits !== undefined && { freeCredits: options.freeCredits }),
      ...(options.billing !== undefined && { billing: options.billing }),
    }),
    // Jobs that tests leave running are not waited for.
    WorkerConfig.layer({ grace: Duration.millis(100) }),
    DeliveryConfig.layer(),
    options.secretsKey === undefined
      ? Secrets.layerEphemeral
      : Secrets.layer(Redacted.make(options.secretsKey)),
  )
  const ports = Layer.mergeAll(
    options.store ?? StoreMemory.layer,
    ObjectStoreMemory.layer,
    Scripted.layer({ engine: { delay: [options.hearsFor ?? 0, options.hearsFor ?? 0] } }),
    settings,
    door(web, asked),
  )
  const work = options.product === undefined ? Layer.empty : Earmark.workers
  const services = Layer.mergeAll(Earmark.useCases, Earmark.administration, work).pipe(
    Layer.provideMerge(Layer.provideMerge(layerTelling, ports)),
  )
  const people = Identities.layer({ newAccounts: options.newAccounts ?? false })
  const signIn = signInOf(options).pipe(Layer.provideMerge(people))
  const metricsKey = options.metricsKey === undefined ? null : Redacted.make(options.metricsKey)
  const all = HttpHost.layer(
    {
      ...facts,
      ...unobserved,
      slots: { ...unobserved.slots, ...options.slots },
      ...(options.machine !== undefined && { machine: options.machine }),
      ...(options.longestWait !== undefined && { longestWait: options.longestWait }),
      metrics: options.metrics ?? "off",
      metricsKey,
      host: "127.0.0.1",
      port,
    },
    Agents.mounts(facts, connector),
  ).pipe(
    Layer.provideMerge(signIn),
    Layer.provideMerge(services),
    Layer.provideMerge(Layer.succeed(Operators, options.operators ?? [])),
    Layer.provide(Logger.minimumLogLevel(LogLevel.Error)),
  )
  const { clock, advance } = movableClock()
  const runtime = ManagedRuntime.make(all.pipe(Layer.provideMerge(Layer.setClock(clock))))
  await runtime.runtime()
  return {
    base: `http://127.0.0.1:${port}`,
    mcp: `http://127.0.0.1:${port}/api/mcp`,
    callers,
    web,
    asked,
    run: (effect) => runtime.runPromise(effect),
    newKey: ({ scopes, test = false } = {}) =>
      runtime.runPromise(
        Effect.gen(function* () {
          const { id } = yield* (yield* Customers).create({ name: "Ann" })
          const request = { name: "k", scopes }
          const { key } = yield* (yield* Keys).create(id, request, test ? "test" : "live")
          return { account: id, key }
        }),
      ),
    advance,
    stop: () => runtime.dispose(),
  }
}
