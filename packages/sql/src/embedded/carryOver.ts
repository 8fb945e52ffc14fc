import { existsSync, renameSync } from "node:fs"
import type { StorageError } from "@earmark/service"
import { Effect, Queue, Stream, Take } from "effect"
import { restoreBackup } from "../backup/restoreBackup.js"
import { writeBackup } from "../backup/writeBackup.js"
import { type DatabaseUnfit, migrateClient } from "../migrations/migrate.js"
import type { StoreInUse } from "../pglite/directoryLock.js"
import * as Pglite from "../pglite/Pglite.js"
import * as Embedded from "./Embedded.js"
import { placeOf } from "./place.js"
import { findPrograms } from "./programs.js"
import { lockStart } from "./startLock.js"
import { attempt } from "./startServer.js"

/** Lines that are read but not written yet. */
const MOST_WAITING = 16

type ReadFailure = DatabaseUnfit | StorageError | StoreInUse

const copy = (from: string, to: string) =>
  Effect.gen(function* () {
    const lines = yield* Queue.bounded<Take.Take<string, ReadFailure>>(MOST_WAITING)
    const reading = Pglite.withClient({ directory: from }, (client) =>
      Effect.zipRight(
        migrateClient(client),
        writeBackup(client, (line) => Queue.offer(lines, Take.of(line))),
      ),
    )
    yield* reading.pipe(
      Effect.matchCauseEffect({
        onFailure: (cause) => Queue.offer(lines, Take.failCause(cause)),
        onSuccess: () => Queue.offer(lines, Take.end),
      }),
      Effect.forkScoped,
    )
    const stream = Stream.flattenTake(Stream.fromQueue(lines))
    yield* Embedded.withClient({ directory: to }, (client) => restoreBackup(client, stream))
  }).pipe(
    Effect.scoped,
    Effect.catchTag("RestoreRefused", (refusal) =>
      // Copied in one transaction, by a process that ended before it renamed the old folder.
      refusal.reason === "not_empty" ? Effect.void : Effect.die(refusal),
    ),
  )

/**
 * Copies the database of WebAssembly in a folder, once, into the Postgres of another one. The old folder is kept under a name that says
 * so. Answers whether there was one.
 */
export const carryOver = ({ from, to }: { readonly from: string; readonly to: string }) =>
  Effect.gen(function* () {
    const programs = findPrograms()
    if (programs === null || !existsSync(from)) return false
    const { lock, folder } = yield* attempt({ folder: to }, () => placeOf(to, programs))
    yield* lockStart({ lock: `${lock}-copy`, folder })
    // Another process may have done it meanwhile.
    if (!existsSync(from)) return false
    const old = `${from}-before-postgres`
    yield* Effect.logInfo(`Copying the database in ${from} into a Postgres in ${to}, once`)
    yield* copy(from, to)
    yield* attempt({ folder: from }, () => renameSync(from, old))
    yield* Effect.logInfo(`The database is copied. The old one is kept in ${old}, and can be removed`)
    return true
  }).pipe(Effect.scoped)
