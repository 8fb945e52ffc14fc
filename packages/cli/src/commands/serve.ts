import { Command } from "@effect/cli"
import { Cause, Effect } from "effect"
import { failed } from "../CommandFailed.js"
import type { Page } from "../help.js"
import type { Served } from "../serving/host.js"

/** The service is a bundle of its own, since it is larger than all the rest. */
const loadHost = Effect.promise(() => import("../serving/host.js"))

const note = (text: string) => process.stderr.write(`earmark: ${text}\n`)

const show = (text: string) => process.stderr.write(`${text}\n`)

export const serve = Command.make("serve", {}, () =>
  Effect.gen(function* () {
    const host = yield* loadHost
    const served = yield* Effect.async<Served>((resume, signal) => {
      const ended = host.serve({ note, show: process.stderr.isTTY ? show : null, signal }).then(
        (end) => resume(Effect.succeed(end)),
        (error: unknown) => resume(Effect.failCause(Cause.die(error))),
      )
      return Effect.promise(() => ended)
    })
    if (served.type === "refused") return yield* failed(served.message)
  }),
).pipe(
  Command.withDescription(
    "Run the service: the HTTP API, and the work behind it. Its settings are variables of the environment.",
  ),
)

export const servePage: Page = {
  name: "serve",
  descriptor: serve.descriptor,
  examples: ["earmark serve", "EARMARK_PORT=9000 EARMARK_ROLE=api earmark serve"],
  children: [],
}
