/** `earmark-mcp`. */
import { Effect, Logger, LogLevel } from "effect"
import { readEnvironment } from "./environment.js"
import { SETTINGS_MISTAKEN, serveClient } from "./stdio/serveClient.js"

const USAGE = `earmark-mcp: the tools of Earmark for MCP clients, over standard input and output.

Settings, from the environment:
  SERVICE_API_KEY          the API key of your account (needed)
  EARMARK_BASE_URL         where the server is (http://127.0.0.1:8787 when left out, if it is yours)
  EARMARK_MCP_SAVE_FOLDER  where save_to creates files (Downloads when left out)

Without a server and a key, on this machine alone: earmark mcp --local
`

const LOCAL = "--local needs the engines of the earmark command: start `earmark mcp --local` instead."

const note = (sentence: string): void => {
  process.stderr.write(`earmark-mcp: ${sentence}\n`)
}

const refuse = (sentence: string) => {
  note(sentence)
  process.exitCode = SETTINGS_MISTAKEN
}

const serve = readEnvironment.pipe(
  Effect.flatMap((settings) => serveClient({ ...settings, note })),
  Effect.catchTag("StartRefused", ({ message }) => Effect.sync(() => refuse(message))),
  Logger.withMinimumLogLevel(LogLevel.Warning),
)

const args = process.argv.slice(2)
if (args.includes("--help") || args.includes("-h")) process.stderr.write(USAGE)
else if (args.includes("--local")) refuse(LOCAL)
else if (args.length > 0) refuse(`There is no option ${args.join(" ")}. See earmark-mcp --help.`)
else await Effect.runPromise(serve)

// What still waits for a service would keep the process alive; its client is gone.
process.exit()
