import { Effect } from "effect"
import { type DatabaseFailure, databaseFailure } from "../database/DatabaseFailure.js"

/** Something that takes messages of the Postgres protocol and answers them. */
export interface Engine {
  readonly exchange: (bytes: Uint8Array) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

const open = async (directory: string | undefined): Promise<Engine> => {
  // Loaded by those who use it: other databases do without its memory.
  const { PGlite } = await import("@electric-sql/pglite")
  const database = await PGlite.create(directory === undefined ? {} : { dataDir: directory })
  return { exchange: (bytes) => database.execProtocolRaw(bytes), close: () => database.close() }
}

/** Opens the database of WebAssembly: in a directory, or in memory. */
export const openEngine = (directory: string | undefined): Effect.Effect<Engine, DatabaseFailure> =>
  Effect.tryPromise({ try: () => open(directory), catch: databaseFailure })
