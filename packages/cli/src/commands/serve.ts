// @effect-diagnostics globalTimers:off -- a timer watches over fibers that do not end

import { Effect, Option } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { serve as serveSpec } from "../grammar/local.js"
import { HIGHEST_PORT } from "../highestPort.js"
import type { Surroundings } from "../serving/host.js"
import { waitFor } from "../waitFor.js"

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
    const shown = process.stderr.isTTY ? show : null
    const served = yield* waitFor((signal) =>
      host.serve({ ...facts, note, show: shown, signal, drains: until(signal) }),
    )
    if (served.type === "refused") return yield* failed(served.message)
    if (process.stderr.isTTY) note("Stopped.")
  })

const checkPort = (port: Option.Option<string>) =>
  Option.isNone(port) || (/^[1-9]\d*$/.test(port.value) && Number(port.value) <= HIGHEST_PORT)
    ? Effect.void
    : usage(`--port needs a number from 1 to ${HIGHEST_PORT}, not "${port.value}". See earmark serve --help.`)

export const serve = ({ port, host, noBilling: isFree }: Given<typeof serveSpec>) =>
  Effect.zipRight(
    checkPort(port),
    serving({
      given: new Map([
        ...Option.toArray(port).map((value) => ["EARMARK_PORT", value] as const),
        ...Option.toArray(host).map((value) => ["EARMARK_HOST", value] as const),
        ...(isFree ? [["EARMARK_BILLING", "off"] as const] : []),
      ]),
    }),
  )

export const worker = () => serving({ role: "worker" })
