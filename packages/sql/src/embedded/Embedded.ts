import { StorageError } from "@earmark/service"
import { Effect, Layer, Schedule } from "effect"
import type { Client } from "pg"
import * as Postgres from "../postgres/Postgres.js"
import { embeddedServer } from "./embeddedServer.js"

export interface EmbeddedOptions {
  /** Where the data is kept. Every process of this machine may use it at the same time. */
  readonly directory: string
  /** Connections for statements of this process; three more listen, notify and cancel. */
  readonly maxConnections?: number
}

// The server may be stopping when it is joined: its last user has left just now.
const untilBack = Schedule.spaced("50 millis").pipe(
  Schedule.upTo("10 seconds"),
  Schedule.whileInput((error: unknown) => error instanceof StorageError && error.isTransient),
)

const optionsFor = ({ directory, ...rest }: EmbeddedOptions) =>
  Effect.map(embeddedServer(directory), (connection) => ({ ...rest, connection }))

/** One connection of its own, without limits of time. */
export const withClient = <A, E>(options: EmbeddedOptions, use: (client: Client) => Effect.Effect<A, E>) =>
  optionsFor(options).pipe(
    // Reached first: what is done with a connection is not repeated.
    Effect.tap((server) =>
      Effect.retry(
        Postgres.withClient(server, () => Effect.void),
        untilBack,
      ),
    ),
    Effect.flatMap((server) => Postgres.withClient(server, use)),
    Effect.scoped,
  )

/** Brings the database of a folder up to date; answers how many steps that took. */
export const migrate = (options: EmbeddedOptions) =>
  optionsFor(options).pipe(
    Effect.flatMap((server) => Effect.retry(Postgres.migrate(server), untilBack)),
    Effect.scoped,
  )

/** A Postgres of its own in a folder, which the processes that use it start and stop. */
export const layer = (options: EmbeddedOptions) =>
  Layer.unwrapScoped(
    Effect.map(optionsFor(options), (server) =>
      Layer.retry(Postgres.layer({ ...server, migrate: "run" }), untilBack),
    ),
  )
