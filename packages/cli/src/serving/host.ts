// @effect-diagnostics globalTimersInEffect:off -- a timer watches over fibers that do not end
import { setFlagsFromString } from "node:v8"
import type { ListenFailed } from "@earmark/http"
import { drainOf, serve as serveAll } from "@earmark/http/serve"
import { explainStart, readSettings, type Settings, unknownSettings } from "@earmark/runtime"
import { ConfigProvider, Duration, Effect, Fiber } from "effect"
import { failed } from "../CommandFailed.js"
import { CONSOLE_FOLDER } from "../consoleFolder.js"

export interface ServeRequest {
  /** What this process does, whatever the settings say. */
  readonly role?: "worker"
  /** Settings that the command line says, by their names: they count more than those of the environment. */
  readonly given?: ReadonlyMap<string, string>
}

const note = (text: string) => Effect.sync(() => process.stderr.write(`earmark: ${text}\n`))

const show = (text: string) => Effect.sync(() => process.stderr.write(`${text}\n`))

/** What waits for an orderly end waits ten seconds after the last requests, and kills then. */
const LAST_MILLISECONDS = 9500

const NOT_IN_ORDER = 1

/** Ends the process when it does not come to its end: everything it was at is taken up by others, as after a crash. */
const endAtLast = () => {
  process.stderr.write(
    "earmark: It did not stop in time, and ends as it is. Jobs under way are taken up when their leases run out.\n",
  )
  process.exit(NOT_IN_ORDER)
}

const stopping = (settings: Settings) =>
  Effect.sync(() => {
    // A server that was told to stop, and did, has done all it had to.
    process.exitCode = 0
    setTimeout(endAtLast, Duration.toMillis(drainOf(settings)) + LAST_MILLISECONDS).unref()
  })

const HEAP_GROWTH = "--heap-growing-percent"
const BORN_OLD = "allocation-site-pretenuring"

/**
 * V8 lets memory grow to about four times what is in use; twice costs hardly any time, and a server holds a third less. And what lives long
 * while a server starts is made among the old from then on, where requests that are over stay with all they hold. Compiled code is only good
 * for programs with the same flags: all of it is loaded before, and kept after.
 */
const keepMemorySmall = Effect.sync(() => {
  setFlagsFromString(`${HEAP_GROWTH}=100`)
  setFlagsFromString(`--no-${BORN_OLD}`)
  process.prependOnceListener("exit", () => {
    setFlagsFromString(`${HEAP_GROWTH}=0`)
    setFlagsFromString(`--${BORN_OLD}`)
  })
})

const elsewhere = ({ what, isPort }: ListenFailed, { role }: Settings): string => {
  if (role === "worker") return `${what} Set ${isPort ? "EARMARK_WORKER_PORT" : "EARMARK_HOST"}.`
  return isPort
    ? `${what} Choose another port with --port or EARMARK_PORT.`
    : `${what} Give one that it has with --host or EARMARK_HOST.`
}

const serving = ({ role }: ServeRequest) =>
  Effect.gen(function* () {
    for (const { message } of yield* unknownSettings) yield* note(message)
    const read = yield* readSettings
    const settings = role === undefined ? read : { ...read, role }
    const terminal = process.stderr.isTTY ? show : null
    const served = yield* Effect.fork(
      serveAll(settings, { terminal, consoleFolder: CONSOLE_FOLDER, onStarted: keepMemorySmall }),
    )
    return yield* Fiber.join(served).pipe(
      Effect.onInterrupt(() => Effect.zipRight(stopping(settings), Fiber.interrupt(served))),
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

const explained = (failure: Failure, given: ReadonlyMap<string, string>) => {
  switch (failure._tag) {
    case "SettingsInvalid":
      return failed(asGiven(failure.message, given))
    case "CommandFailed":
      return failure
    case "WorkFailed":
      return failed(`The speech engine cannot be used: ${failure.message} See earmark doctor.`)
    default:
      return failed(explainStart(failure).message)
  }
}

/** Serves until it is interrupted, then lets go of everything in order. */
export const serve = (request: ServeRequest) =>
  Effect.suspend(() => {
    // Whatever this process and its programs write belongs to customers.
    process.umask(0o077)
    const { given = new Map<string, string>() } = request
    return Effect.configProviderWith((environment) =>
      serving(request).pipe(
        Effect.withConfigProvider(
          ConfigProvider.orElse(ConfigProvider.fromMap(new Map(given)), () => environment),
        ),
        Effect.mapError((failure) => explained(failure, given)),
      ),
    )
  })
