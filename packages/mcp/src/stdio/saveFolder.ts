import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { Config, Data, Effect } from "effect"

const SETTING = "EARMARK_MCP_SAVE_FOLDER"

/** What keeps the server from starting, in one sentence. */
export class StartRefused extends Data.TaggedError("StartRefused")<{ readonly message: string }> {}

/**
 * Where `save_to` may create files. The working folder is not the default: clients choose it, and in a project a new file may be one
 * that programs or agents obey.
 */
export const saveFolder: Effect.Effect<string, StartRefused> = Config.string(SETTING).pipe(
  Config.withDefault(""),
  Effect.orDie,
  Effect.flatMap((given) => {
    const folder = given.trim()
    if (folder === "") return Effect.succeed(join(homedir(), "Downloads"))
    return isAbsolute(folder)
      ? Effect.succeed(folder)
      : new StartRefused({ message: `${SETTING} must be an absolute path, and is "${folder}".` })
  }),
)
