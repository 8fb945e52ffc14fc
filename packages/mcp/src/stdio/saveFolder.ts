import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { Data, Effect } from "effect"

/** What keeps the server from starting, in one sentence. */
export class StartRefused extends Data.TaggedError("StartRefused")<{ readonly message: string }> {}

/**
 * Where `save_to` may create files, by what EARMARK_MCP_SAVE_FOLDER says. The working folder is not the default: clients choose it, and in a
 * project a new file may be one that programs or agents obey.
 */
export const saveFolderOf = (given: string): Effect.Effect<string, StartRefused> => {
  const folder = given.trim()
  if (folder === "") return Effect.succeed(join(homedir(), "Downloads"))
  return isAbsolute(folder)
    ? Effect.succeed(folder)
    : new StartRefused({ message: `EARMARK_MCP_SAVE_FOLDER must be an absolute path, and is "${folder}".` })
}
