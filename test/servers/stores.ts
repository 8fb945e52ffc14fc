/** The stores that a service can be on, for tests that hold on each of them. */
import { randomBytes } from "node:crypto"
import { type PostgresServer, postgresMissing, startPostgres } from "./postgresServer.js"

/** Settings that put a service on a store of its own; `stop` takes away what was started for it. */
export interface StoreForTests {
  readonly environment: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

const embedded = async (): Promise<StoreForTests> => ({ environment: {}, stop: async () => {} })

/** On a server that runs already. */
export const databaseOn = async (server: PostgresServer) => ({
  EARMARK_DATABASE_URL: await server.newDatabase(),
  EARMARK_SECRETS_KEY: randomBytes(32).toString("base64"),
})

const postgres = async (): Promise<StoreForTests> => {
  const server = await startPostgres()
  return { environment: await databaseOn(server), stop: server.stop }
}

export const storesForTests = [
  { name: "the embedded store", missing: null, start: embedded },
  { name: "Postgres", missing: postgresMissing, start: postgres },
] as const
