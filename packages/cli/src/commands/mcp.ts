import { Effect } from "effect"
import type { Given } from "../grammar/Grammar.js"
import type { mcp as mcpSpec } from "../grammar/local.js"
import { waitFor } from "../waitFor.js"

/** The server is a bundle of its own, since no other command needs it. */
const loadHost = Effect.promise(() => import("../mcp/host.js"))

const note = (text: string) => process.stderr.write(`earmark: ${text}\n`)

export const mcp = ({ local }: Given<typeof mcpSpec>) =>
  Effect.gen(function* () {
    const host = yield* loadHost
    const served = yield* waitFor((signal) => host.serve({ local, note, signal }))
    // Requests to a service that nobody waits for any more would keep the process alive.
    return yield* Effect.sync((): void => {
      if (served.type === "refused") note(served.message)
      process.exit(served.type === "refused" ? served.exitCode : 0)
    })
  })
