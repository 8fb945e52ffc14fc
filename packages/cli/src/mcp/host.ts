// @effect-diagnostics strictEffectProvide:off -- a host of its own, bundled apart: this is the one place that composes it
import { SETTINGS_MISTAKEN, saveFolderOf, serveClient, serveStdioFor } from "@earmark/mcp"
import { agents } from "@earmark/runtime/settings"
import { Cause, Effect, Logger, LogLevel, Option } from "effect"
import { targetOf } from "../remote/target.js"
import { settingOf } from "../settingOf.js"
import { stderrLogger } from "./stderrLogger.js"

export interface McpRequest {
  /** Whether this machine does the work. */
  readonly local: boolean
  /** Told on standard error. */
  readonly note: (text: string) => void
  readonly signal: AbortSignal
}

/** How a server ended: with its client, or because it could not start. */
export type McpServed =
  | { readonly type: "ended" }
  | { readonly type: "refused"; readonly message: string; readonly exitCode: typeof SETTINGS_MISTAKEN }

const ended: McpServed = { type: "ended" }

/** By the rule of every other command: that of the environment, or the one that this user has signed in to. */
const service = targetOf({ server: Option.none(), profile: Option.none() })

const serving = Effect.fnUntraced(function* ({ local, note }: McpRequest) {
  const folder = yield* settingOf(agents.mcpSaveFolder)
  const saveFolder = yield* saveFolderOf(folder ?? "")
  if (!local) return yield* serveClient({ access: yield* service, saveFolder, note })
  const { localBackend } = yield* Effect.promise(() => import("./local.js"))
  yield* serveStdioFor(yield* localBackend, saveFolder)
}, Effect.scoped)

/** Serves until the input ends. Standard output is the protocol's alone. */
export const serve = (request: McpRequest): Promise<McpServed> =>
  serving(request).pipe(
    Effect.as(ended),
    Effect.catchAll(({ message }) =>
      Effect.succeed<McpServed>({ type: "refused", message, exitCode: SETTINGS_MISTAKEN }),
    ),
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.succeed(ended) : Effect.failCause(cause),
    ),
    Logger.withMinimumLogLevel(LogLevel.Warning),
    Effect.provide(Logger.replace(Logger.defaultLogger, stderrLogger)),
    (served) => Effect.runPromise(served, { signal: request.signal }),
  )
