import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { serve as serveSpec } from "../grammar/local.js"
import { HIGHEST_PORT } from "../highestPort.js"
import type { ServeRequest } from "../serving/host.js"

/** The server is a bundle of its own, since it is larger than all the rest. */
const loadHost = Effect.promise(() => import("../serving/host.js"))

const serving = (request: ServeRequest) => Effect.flatMap(loadHost, (host) => host.serve(request))

const checkPort = (port: string | undefined) =>
  port === undefined || (/^[1-9]\d*$/.test(port) && Number(port) <= HIGHEST_PORT)
    ? Effect.void
    : usage(`--port needs a number from 1 to ${HIGHEST_PORT}, not "${port}". See earmark serve --help.`)

export const serve = ({ port, host, noBilling: isFree }: Given<typeof serveSpec>) =>
  Effect.zipRight(
    checkPort(port),
    serving({
      given: new Map([
        ...(port === undefined ? [] : [["EARMARK_PORT", port] as const]),
        ...(host === undefined ? [] : [["EARMARK_HOST", host] as const]),
        ...(isFree ? [["EARMARK_BILLING", "off"] as const] : []),
      ]),
    }),
  )

export const worker = () => serving({ role: "worker" })
