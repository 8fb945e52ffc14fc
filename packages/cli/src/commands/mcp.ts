import { Command, Options } from "@effect/cli"
import { Cause, Effect } from "effect"
import type { Page } from "../help.js"
import type { McpServed } from "../mcp/host.js"

/** The server is a bundle of its own, since no other command needs it. */
const loadHost = Effect.promise(() => import("../mcp/host.js"))

const note = (text: string) => process.stderr.write(`earmark: ${text}\n`)

const local = Options.boolean("local").pipe(
  Options.withDescription("This machine does the work: no service and no key are needed."),
)

export const mcp = Command.make("mcp", { local }, ({ local }) =>
  Effect.gen(function* () {
    const host = yield* loadHost
    const served = yield* Effect.async<McpServed>((resume, signal) => {
      const ended = host.serve({ local, note, signal }).then(
        (end) => resume(Effect.succeed(end)),
        (error: unknown) => resume(Effect.failCause(Cause.die(error))),
      )
      return Effect.promise(() => ended)
    })
    // Requests to a service that nobody waits for any more would keep the process alive.
    return yield* Effect.sync((): void => {
      if (served.type === "refused") note(served.message)
      process.exit(served.type === "refused" ? served.exitCode : 0)
    })
  }),
).pipe(
  Command.withDescription(
    "Serve the tools of Earmark to an MCP client, over standard input and output: those of the service at EARMARK_BASE_URL, with SERVICE_API_KEY, of the one that earmark login has kept, or of this machine alone.",
  ),
)

export const mcpPage: Page = {
  name: "mcp",
  descriptor: mcp.descriptor,
  examples: ["earmark mcp", "SERVICE_API_KEY=em_live_... earmark mcp", "earmark mcp --local"],
  children: [],
}
