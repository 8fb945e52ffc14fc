import { Effect } from "effect"
import type { Given } from "../grammar/Grammar.js"
import type { mcp as mcpSpec } from "../grammar/local.js"

/** The server is a bundle of its own, since no other command needs it. */
const loadHost = Effect.promise(() => import("../mcp/host.js"))

const note = (text: string) => process.stderr.write(`earmark: ${text}\n`)

export const mcp = ({ local }: Given<typeof mcpSpec>) =>
  Effect.gen(function* () {
    const { serve } = yield* loadHost
    const exitCode = yield* serve(local, note)
    // Requests to a server that nobody waits for any more would keep the process alive.
    return yield* Effect.sync((): void => process.exit(exitCode))
  })
