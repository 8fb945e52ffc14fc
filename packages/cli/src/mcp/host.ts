// @effect-diagnostics strictEffectProvide:off -- a host of its own, bundled apart: this is the one place that composes it
import { SETTINGS_MISTAKEN, saveFolderOf, serveClient, serveStdioFor } from "@earmark/mcp"
import { stderrLogger } from "@earmark/mcp/local"
import { agents } from "@earmark/runtime/settings"
import { Cause, Effect, Logger, LogLevel } from "effect"
import { targetOf } from "../remote/target.js"
import { settingOf } from "../settingOf.js"

/** By the rule of every other command: that of the environment, or the one that this user has signed in to. */
const service = targetOf({ server: undefined, profile: undefined })

const serving = Effect.fnUntraced(function* (local: boolean, note: (text: string) => void) {
  const folder = yield* settingOf(agents.mcpSaveFolder)
  const saveFolder = yield* saveFolderOf(folder ?? "")
  if (!local) return yield* serveClient({ access: yield* service, saveFolder, note })
  const { localBackend } = yield* Effect.promise(() => import("@earmark/mcp/local"))
  yield* serveStdioFor(yield* localBackend, saveFolder)
}, Effect.scoped)

/** Serves until the input ends; answers the exit code. Standard output is the protocol's alone. */
export const serve = (local: boolean, note: (text: string) => void) =>
  serving(local, note).pipe(
    Effect.as(0),
    Effect.catchAll(({ message }) =>
      Effect.sync(() => {
        note(message)
        return SETTINGS_MISTAKEN
      }),
    ),
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.succeed(0) : Effect.failCause(cause),
    ),
    Logger.withMinimumLogLevel(LogLevel.Warning),
    Effect.provide(Logger.replace(Logger.defaultLogger, stderrLogger)),
  )
