// @effect-diagnostics globalTimers:off -- a timer watches over fibers that do not end
import { Command, Options } from "@effect/cli"
import { Cause, Effect, Option } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Page } from "../help.js"
import { HIGHEST_PORT } from "../highestPort.js"
import type { Served, Surroundings } from "../serving/host.js"

/** The service is a bundle of its own, since it is larger than all the rest. */
const loadHost = Effect.promise(() => import("../serving/host.js"))

const note = (text: string) => process.stderr.write(`earmark: ${text}\n`)

const show = (text: string) => process.stderr.write(`${text}\n`)

/** What waits for an orderly end waits ten seconds after the last requests, and kills then. */
const LAST_MILLISECONDS = 9500

const NOT_IN_ORDER = 1

/** Ends the process when it does not come to its end: everything it was at is taken up by others, as after a crash. */
const endAtLast = () => {
  note("It did not stop in time, and ends as it is. Jobs under way are taken up when their leases run out.")
  process.exit(NOT_IN_ORDER)
}

/** Answers how to say that it will take longer. */
const until = (signal: AbortSignal) => {
  let drain = 0
  signal.addEventListener("abort", () => {
    // A service that was told to stop, and did, has done all it had to.
    process.exitCode = 0
    setTimeout(endAtLast, drain + LAST_MILLISECONDS).unref()
  })
  return (milliseconds: number) => {
    drain = milliseconds
  }
}

const serving = (facts: Pick<Surroundings, "role" | "given">) =>
  Effect.gen(function* () {
    const host = yield* loadHost
    const served = yield* Effect.async<Served>((resume, signal) => {
      const drains = until(signal)
      const shown = process.stderr.isTTY ? show : null
      const ended = host.serve({ ...facts, note, show: shown, signal, drains }).then(
        (end) => resume(Effect.succeed(end)),
        (error: unknown) => resume(Effect.failCause(Cause.die(error))),
      )
      return Effect.promise(() => ended)
    })
    if (served.type === "refused") return yield* failed(served.message)
  })

const options = {
  port: Options.text("port").pipe(
    Options.withDescription("The port to listen on, instead of EARMARK_PORT (8787)."),
    Options.optional,
  ),
  host: Options.text("host").pipe(
    Options.withDescription("The address to listen on, instead of EARMARK_HOST (127.0.0.1)."),
    Options.optional,
  ),
}

const noBilling = Options.boolean("no-billing").pipe(
  Options.withDescription(
    "Count and sell nothing: everything is unlocked for everybody who has a key. For a server of your own. The same as EARMARK_BILLING=off.",
  ),
)

const checkPort = (port: Option.Option<string>) =>
  Option.isNone(port) || (/^[1-9]\d*$/.test(port.value) && Number(port.value) <= HIGHEST_PORT)
    ? Effect.void
    : usage(`--port needs a number from 1 to ${HIGHEST_PORT}, not "${port.value}". See earmark serve --help.`)

export const serve = Command.make("serve", { ...options, noBilling }, ({ port, host, noBilling: isFree }) =>
  Effect.zipRight(
    checkPort(port),
    serving({
      given: new Map([
        ...Option.toArray(port).map((value) => ["EARMARK_PORT", value] as const),
        ...Option.toArray(host).map((value) => ["EARMARK_HOST", value] as const),
        ...(isFree ? [["EARMARK_BILLING", "off"] as const] : []),
      ]),
    }),
  ),
).pipe(
  Command.withDescription(
    "Run the service: the HTTP API, and the work behind it. Its settings are variables of the environment.",
  ),
)

export const worker = Command.make("worker", {}, () => serving({ role: "worker" })).pipe(
  Command.withDescription(
    "Work on jobs and webhooks for services on the same database, and listen to nobody: serve with EARMARK_ROLE=worker.",
  ),
)

export const servePage: Page = {
  name: "serve",
  descriptor: serve.descriptor,
  examples: [
    "earmark serve",
    "earmark serve --port 9000",
    "EARMARK_PORT=9000 EARMARK_ROLE=api earmark serve",
  ],
  children: [],
}

export const workerPage: Page = {
  name: "worker",
  descriptor: worker.descriptor,
  examples: ["EARMARK_DATABASE_URL=postgres://earmark@127.0.0.1/earmark earmark worker"],
  children: [],
}
