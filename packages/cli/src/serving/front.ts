/** What clients reach. Loaded while the database starts, which takes as long. */
// @effect-diagnostics strictEffectProvide:off -- a host of its own, bundled apart: this is the one place that composes it
import { fileURLToPath } from "node:url"
import { SignInOpenId } from "@earmark/authorization"
import { Agents, Console, HttpHost } from "@earmark/http"
import { type Settings, type shownSettings, shownStorage, type Terminal } from "@earmark/runtime"
import {
  Accounts,
  type Fetcher,
  type Identities,
  type Keys,
  makeSignInLink,
  type OAuthRecords,
  type Secrets,
  type SignIn,
  SignInApiKey,
} from "@earmark/service"
import { Effect, Layer } from "effect"
import { drainOf } from "./drainOf.js"

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

const agents = (settings: Settings) =>
  Agents.mounts(
    {
      ...hostFacts(settings),
      corsOrigins: settings.corsOrigins,
      issuer: settings.mcpIssuer,
      registrations: settings.rateLimitRegistrations,
    },
    Agents.lateConnector({ baseUrl: settings.baseUrl, sessions: settings.mcpSessions }),
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

type Shown = Effect.Effect.Success<ReturnType<typeof shownSettings>>

/** What the operator is told of this machine. What looks at it is loaded when somebody asks. */
const machineOf = (settings: Settings, shown: Shown) => ({
  checks: Effect.flatMap(
    Effect.promise(() => import("../engines/host.js")),
    ({ examineMachine }) => examineMachine(settings),
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
    ? Layer.effectDiscard(Effect.logInfo("Earmark processes jobs and opens no port"))
    : Layer.effectDiscard(
        Effect.logInfo(
          `Earmark processes jobs; ${settings.host}:${settings.workerPort} tells how it is: /readyz, /metrics`,
        ),
      ).pipe(Layer.provideMerge(HttpHost.layerProbes({ ...hostFacts(settings), port: settings.workerPort })))

/** What clients reach, where the role has it. */
export const front = (
  settings: Settings,
  { terminal, shown }: { readonly terminal: Terminal; readonly shown: Shown },
) =>
  settings.role === "worker"
    ? working(settings)
    : Layer.effectDiscard(showSignIn(settings, terminal)).pipe(
        Layer.provideMerge(listening(settings)),
        Layer.provideMerge(host(settings, machineOf(settings, shown))),
      )
