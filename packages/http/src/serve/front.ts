/** What clients reach. Loaded while the database starts, which takes as long. */
import { SignInOpenId } from "@earmark/authorization"
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
import { Effect, Layer, Struct } from "effect"
import * as Agents from "../Agents.js"
import * as Console from "../console/Console.js"
import * as HttpHost from "../HttpHost.js"
import { drainOf } from "./drainOf.js"

/** What the one who starts the server brings. */
export interface Serving {
  /** Shows what only a person should see; null where nobody sits in front of it. */
  readonly terminal: Terminal
  /** The build of the console. */
  readonly consoleFolder: string
  /** Done once everything has started. */
  readonly onStarted?: Effect.Effect<void>
}

const hostFacts = (settings: Settings): HttpHost.HostFacts => ({
  ...Struct.pick(settings, "host", "port", "baseUrl", "corsOrigins", "logRequests"),
  ...Struct.pick(settings, "metrics", "metricsKey", "proxies"),
  drain: drainOf(settings),
  slots: Struct.pick(settings, "eventStreams", "waitingReads"),
  rateLimits: {
    create: settings.rateLimitCreates,
    read: settings.rateLimitReads,
    failures: settings.rateLimitFailures,
  },
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
      issuer: settings.mcpIssuer,
      registrations: settings.rateLimitRegistrations,
    },
    Agents.lateConnector({ baseUrl: settings.baseUrl, sessions: settings.mcpSessions }),
  )

const mounts = (settings: Settings, folder: string) =>
  settings.console
    ? Effect.zipWith(
        agents(settings),
        Console.mount({ baseUrl: settings.baseUrl, folder }),
        (ofAgents, console) => [...ofAgents, console],
      )
    : agents(settings)

type Shown = Effect.Effect.Success<ReturnType<typeof shownSettings>>

/** What the operator is told of this machine. What looks at it is loaded when somebody asks. */
const machineOf = (settings: Settings, shown: Shown) => ({
  checks: Effect.flatMap(
    Effect.promise(() => import("./machine.js")),
    ({ examineMachine }) => examineMachine(settings),
  ),
  settings: shown,
  storage: shownStorage(settings),
})

const host = (settings: Settings, shown: Shown, consoleFolder: string) =>
  HttpHost.layer(
    { ...hostFacts(settings), machine: machineOf(settings, shown) },
    mounts(settings, consoleFolder),
  ).pipe(Layer.provide(signIn(settings)))

/** Shows whoever started the server a link that signs in once, as its operator. The first account is theirs. */
const showSignIn = ({ console, baseUrl }: Settings, { terminal, consoleFolder }: Serving) =>
  Effect.gen(function* () {
    if (terminal === null || !console || !(yield* Console.isBuilt(consoleFolder))) return
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
export const front = (settings: Settings, shown: Shown, serving: Serving) =>
  settings.role === "worker"
    ? working(settings)
    : Layer.effectDiscard(showSignIn(settings, serving)).pipe(
        Layer.provideMerge(listening(settings)),
        Layer.provideMerge(host(settings, shown, serving.consoleFolder)),
      )
