// @effect-diagnostics strictEffectProvide:off -- a host of its own, bundled apart: this is the one place that composes it
import { checkAddress, type ListenFailed } from "@earmark/http"
import {
  explainStart,
  Runtime,
  readSettings,
  type Settings,
  shownSettings,
  type Terminal,
  unknownSettings,
} from "@earmark/runtime"
import { Cause, ConfigError, ConfigProvider, Duration, Effect, Fiber, Layer } from "effect"
import { failed } from "../CommandFailed.js"
import { drainOf } from "./drainOf.js"

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
        Effect.flatMap(readSettings, (found) => Effect.all([Effect.succeed(found), shownSettings(found)])),
        ConfigProvider.orElse(ConfigProvider.fromMap(new Map(given)), () => environment),
      ),
    )
    const settings = role === undefined ? read : { ...read, role }
    drains(Duration.toMillis(drainOf(settings)))
    const terminal: Terminal = show === null ? null : (text) => Effect.sync(() => show(text))
    const address = addressOf(settings)
    const front = Effect.map(
      Effect.promise(() => import("./front.js")),
      (loaded) => loaded.front(settings, { terminal, shown }),
    )
    // Looked at first: a store would be made that nobody is served from.
    const free = address === null ? Effect.void : checkAddress(address)
    return yield* free.pipe(
      Effect.zipRight(Effect.fork(front)),
      // The database starts meanwhile.
      Effect.flatMap((loading) =>
        Runtime.run(settings, { terminal }, Layer.unwrapEffect(Fiber.join(loading))),
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
