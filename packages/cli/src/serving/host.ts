// @effect-diagnostics strictEffectProvide:off -- a host of its own, bundled apart: this is the one place that composes it
import { fileURLToPath } from "node:url"
import { SignInOpenId } from "@earmark/authorization"
import { Agents, Console, checkAddress, HttpHost, type ListenFailed } from "@earmark/http"
import { makeConnector, serviceBackends } from "@earmark/mcp"
import {
  explainStart,
  Runtime,
  readSettings,
  type Settings,
  shownSettings,
  shownStorage,
  type Terminal,
  unknownSettings,
} from "@earmark/runtime"
import {
  Accounts,
  type Fetcher,
  type Identities,
  JobNews,
  type Keys,
  makeSignInLink,
  type OAuthRecords,
  type Secrets,
  type SignIn,
  SignInApiKey,
} from "@earmark/service"
import { Cause, ConfigError, ConfigProvider, Duration, Effect, Layer } from "effect"
import { failed } from "../CommandFailed.js"

export interface Surroundings {
  /** Told beside the logs, at once. */
  readonly note: (text: string) => void
  /** Shows what only a person should see; null where nobody sits in front of it. */
  readonly show: ((text: string) => void) | null
  readonly signal: AbortSignal
  /** Told how long requests are answered after the signal: so much later it has to have ended. */
  readonly drains: (milliseconds: number) => void
  /** What this process does, whatever the settings say. */
  readonly role?: "worker"
  /** Settings that the command line says, by their names: they count more than those of the environment. */
  readonly given?: ReadonlyMap<string, string>
}

/** How a service ended: as it was told to, or because it could not start. */
export type Served = { readonly type: "stopped" } | { readonly type: "refused"; readonly message: string }

/** Behind a balancer there are processes that only answer. */
const DRAIN_OF_API = Duration.seconds(5)

const drainOf = ({ drain, role }: Settings): Duration.Duration =>
  drain ?? (role === "api" ? DRAIN_OF_API : Duration.zero)

const hostFacts = (settings: Settings): HttpHost.HostFacts => ({
  host: settings.host,
  port: settings.port,
  baseUrl: settings.baseUrl,
  corsOrigins: settings.corsOrigins,
  drain: drainOf(settings),
  logRequests: settings.logRequests,
  metrics: settings.metrics,
  metricsKey: settings.metricsKey,
  slots: { eventStreams: settings.eventStreams, waitingReads: settings.waitingReads },
  rateLimits: {
    create: settings.rateLimitCreates,
    read: settings.rateLimitReads,
    failures: settings.rateLimitFailures,
  },
  proxies: settings.proxies,
})

/** How people show that an account is theirs when an app asks for it. */
const signIn = ({
  signInIssuer,
  signInClientId,
  signInClientSecret,
}: Settings): Layer.Layer<SignIn, never, Fetcher | Identities | Keys | OAuthRecords | Secrets> =>
  signInIssuer === null || signInClientId === null
    ? SignInApiKey.layer
    : SignInOpenId.layer({
        issuer: signInIssuer,
        clientId: signInClientId,
        clientSecret: signInClientSecret,
      })

const connector = ({ baseUrl, mcpSessions }: Settings) =>
  Effect.gen(function* () {
    const backendFor = yield* serviceBackends({ baseUrl })
    const news = yield* JobNews
    const runtime = yield* Effect.runtime<never>()
    return makeConnector({
      backendFor,
      news,
      sessions: mcpSessions,
      resourceMetadataUrl: Agents.resourceMetadataUrl(baseUrl),
      runtime,
    })
  })

const agents = (settings: Settings) =>
  Agents.mounts(
    {
      ...hostFacts(settings),
      corsOrigins: settings.corsOrigins,
      issuer: settings.mcpIssuer,
      registrations: settings.rateLimitRegistrations,
    },
    connector(settings),
  )

/** The build of the console, copied beside the bundled command. */
const CONSOLE_FOLDER = fileURLToPath(new URL("./console", import.meta.url))

const mounts = (settings: Settings) =>
  settings.console
    ? Effect.zipWith(
        agents(settings),
        Console.mount({ baseUrl: settings.baseUrl, folder: CONSOLE_FOLDER }),
        (ofAgents, console) => [...ofAgents, console],
      )
    : agents(settings)

/** What the operator is told of this machine. What looks at it is loaded when somebody asks. */
const machineOf = (settings: Settings, shown: Effect.Effect.Success<typeof shownSettings>) => ({
  checks: Effect.flatMap(
    Effect.promise(() => import("../engines/host.js")),
    ({ examine }) => examine(settings),
  ),
  settings: shown,
  storage: shownStorage(settings),
})

const host = (settings: Settings, machine: ReturnType<typeof machineOf>) =>
  HttpHost.layer({ ...hostFacts(settings), machine }, mounts(settings)).pipe(Layer.provide(signIn(settings)))

/** Shows whoever started the server a link that signs in once, as its operator. The first account is theirs. */
const showSignIn = ({ console, baseUrl }: Settings, terminal: Terminal) =>
  Effect.gen(function* () {
    if (terminal === null || !console || !(yield* Console.isBuilt(CONSOLE_FOLDER))) return
    const { items } = yield* (yield* Accounts).list({ limit: 1, after: null })
    const [first] = items
    if (first === undefined || Console.signInAddress(baseUrl, "") === null) return
    const address = Console.signInAddress(baseUrl, yield* makeSignInLink(first.id, { isOperator: true }))
    yield* terminal(`Open the console in a browser, once, within 5 minutes:\n\n  ${address}\n`)
  })

const listening = (settings: Settings) =>
  Layer.effectDiscard(
    Effect.logInfo(
      `Earmark listens on ${settings.host}:${settings.port}, for ${settings.baseUrl}; ${settings.baseUrl}/docs shows what it answers`,
    ),
  )

const working = (settings: Settings) =>
  settings.workerPort === null
    ? Layer.effectDiscard(Effect.logInfo("Earmark works on jobs, and listens to nobody"))
    : Layer.effectDiscard(
        Effect.logInfo(
          `Earmark works on jobs; ${settings.host}:${settings.workerPort} tells how it is: /readyz, /metrics`,
        ),
      ).pipe(Layer.provideMerge(HttpHost.layerProbes({ ...hostFacts(settings), port: settings.workerPort })))

/** What clients reach, where the role has it. */
const front = (settings: Settings, terminal: Terminal, machine: ReturnType<typeof machineOf>) =>
  settings.role === "worker"
    ? working(settings)
    : Layer.effectDiscard(showSignIn(settings, terminal)).pipe(
        Layer.provideMerge(listening(settings)),
        Layer.provideMerge(host(settings, machine)),
      )

/** Where this process will listen; null where it listens to nobody. */
const addressOf = ({ role, host, port, workerPort }: Settings) => {
  if (role !== "worker") return { host, port }
  return workerPort === null ? null : { host, port: workerPort }
}

const elsewhere = ({ what, isPort }: ListenFailed, { role }: Settings): string => {
  if (role === "worker") return `${what} Set ${isPort ? "EARMARK_WORKER_PORT" : "EARMARK_HOST"}.`
  return isPort
    ? `${what} Choose another port with --port or EARMARK_PORT.`
    : `${what} Give one that it has with --host or EARMARK_HOST.`
}

const serving = ({ note, show, role, drains, given = new Map() }: Surroundings) =>
  Effect.gen(function* () {
    for (const { message } of yield* unknownSettings) note(message)
    const [read, shown] = yield* Effect.configProviderWith((environment) =>
      Effect.withConfigProvider(
        Effect.all([readSettings, shownSettings]),
        ConfigProvider.orElse(ConfigProvider.fromMap(new Map(given)), () => environment),
      ),
    )
    const settings = role === undefined ? read : { ...read, role }
    drains(Duration.toMillis(drainOf(settings)))
    const terminal: Terminal = show === null ? null : (text) => Effect.sync(() => show(text))
    const address = addressOf(settings)
    // Looked at first: a store would be made that nobody is served from.
    const free = address === null ? Effect.void : checkAddress(address)
    return yield* free.pipe(
      Effect.zipRight(
        Runtime.run(settings, { terminal }, front(settings, terminal, machineOf(settings, shown))),
      ),
      Effect.catchTag("ListenFailed", (failure) => failed(elsewhere(failure, settings))),
    )
  })

type Failure = Effect.Effect.Error<ReturnType<typeof serving>>

/** What the command line says is called as it stands there. */
const asGiven = (message: string, given: ReadonlyMap<string, string>): string =>
  [...given.keys()].reduce(
    (text, name) => text.replace(name, `--${name.replace("EARMARK_", "").toLowerCase()} (${name})`),
    message,
  )

const sentenceOf = (failure: Failure, { given = new Map() }: Surroundings): string => {
  switch (failure._tag) {
    case "SettingsInvalid":
      return asGiven(failure.message, given)
    case "CommandFailed":
      return failure.message
    case "WorkFailed":
      return `The speech engine cannot be used: ${failure.message} See earmark doctor.`
    default:
      return ConfigError.isConfigError(failure)
        ? `The settings cannot be read: ${String(failure)}`
        : explainStart(failure).message
  }
}

/** Serves until the signal, then lets go of everything in order. */
export const serve = (surroundings: Surroundings): Promise<Served> => {
  // Whatever this process and its programs write belongs to customers.
  process.umask(0o077)
  const ended = serving(surroundings).pipe(
    Effect.match({
      onFailure: (failure): Served => ({ type: "refused", message: sentenceOf(failure, surroundings) }),
      onSuccess: (): Served => ({ type: "stopped" }),
    }),
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.succeed<Served>({ type: "stopped" }) : Effect.failCause(cause),
    ),
  )
  return Effect.runPromise(ended, { signal: surroundings.signal })
}
