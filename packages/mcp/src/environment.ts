/** The settings of `earmark-mcp`. Its main module alone reads them. */
import { Config, Effect, Redacted } from "effect"
import { ownFetchFor } from "./stdio/ownListener.js"
import { saveFolderOf } from "./stdio/saveFolder.js"

const DEFAULT_BASE_URL = "http://127.0.0.1:8787"

export const readEnvironment = Config.all({
  apiKey: Config.redacted("SERVICE_API_KEY").pipe(Config.withDefault(Redacted.make(""))),
  named: Config.string("EARMARK_BASE_URL").pipe(Config.withDefault(null)),
  folder: Config.string("EARMARK_MCP_SAVE_FOLDER").pipe(Config.withDefault("")),
}).pipe(
  Effect.orDie,
  Effect.flatMap(({ apiKey, named, folder }) =>
    Effect.map(saveFolderOf(folder), (saveFolder) => ({
      access:
        named === null
          ? { apiKey, baseUrl: DEFAULT_BASE_URL, fetch: ownFetchFor(DEFAULT_BASE_URL) }
          : { apiKey, baseUrl: named },
      saveFolder,
    })),
  ),
)
