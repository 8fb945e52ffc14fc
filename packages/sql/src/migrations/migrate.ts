import { counted } from "@earmark/core/text"
import { Data, Effect } from "effect"
import type { ClientBase, QueryResultRow } from "pg"
import { type DatabaseFailure, databaseFailure, storageError } from "../database/DatabaseFailure.js"
import { checksumOf, type Migration, migrations } from "./index.js"

/** The database was made by a newer Earmark, or by another one that shares only its name. */
export class DatabaseUnfit extends Data.TaggedError("DatabaseUnfit")<{
  readonly reason: "newer" | "older" | "changed"
  /** The number of the last migration in the database (or of the one that differs), and of the last one known here. */
  readonly found: number
  readonly known: number
  /** How many migrations the database lacks. Their numbers do not tell that: some are left out. */
  readonly lacking: number
}> {
  override get message() {
    const { found, known, lacking } = this
    return {
      newer: `The database is at migration ${found}; this version of Earmark knows up to ${known}. Start a newer version.`,
      older: `The database lacks ${counted(lacking, "migration")} that this version of Earmark needs. Run earmark migrate.`,
      changed: `Migration ${found} of the database differs from the one of this version of Earmark. Use the version that made it.`,
    }[this.reason]
  }
}

const LOCK = 7133_0001

interface Applied extends QueryResultRow {
  readonly number: number
  readonly checksum: string
}

/** What a database lacks: also a step whose number is below one that it has. */
const pendingOf = (applied: ReadonlyArray<Applied>, all: ReadonlyArray<Migration>) =>
  all.filter(({ number }) => !applied.some((each) => each.number === number))

const unfit = (applied: ReadonlyArray<Applied>, all: ReadonlyArray<Migration>): DatabaseUnfit | null => {
  const known = all.at(-1)?.number ?? 0
  const newest = applied.at(-1)?.number ?? 0
  const lacking = pendingOf(applied, all).length
  if (newest > known) return new DatabaseUnfit({ reason: "newer", found: newest, known, lacking })
  for (const { number, checksum } of applied) {
    const own = all.find((migration) => migration.number === number)
    if (own === undefined || checksumOf(own) !== checksum) {
      return new DatabaseUnfit({ reason: "changed", found: number, known, lacking })
    }
  }
  return null
}

/**
 * Brings a database up to today, from any earlier state, and answers how many steps that took. Of any number of processes that
 * start at once, one works and the others wait. With `only: "check"` nothing is changed: an older database is refused too.
 */
export const migrateClient = (
  client: ClientBase,
  { only, all = migrations }: { readonly only?: "check"; readonly all?: ReadonlyArray<Migration> } = {},
) => {
  const run = (text: string, values: ReadonlyArray<unknown> = []) =>
    Effect.tryPromise({
      try: () => client.query<Applied>(text, [...values]),
      catch: databaseFailure,
    })

  const applied = Effect.gen(function* () {
    const there = yield* run(
      "SELECT 1 FROM pg_tables WHERE tablename = 'earmark_migration' AND schemaname = current_schema()",
    )
    if (there.rows.length === 0) return []
    const { rows } = yield* run("SELECT number, checksum FROM earmark_migration ORDER BY number")
    return rows
  })

  const applyAll = (pending: ReadonlyArray<Migration>) =>
    Effect.forEach(pending, (migration) =>
      Effect.gen(function* () {
        yield* run(migration.sql)
        yield* run("INSERT INTO earmark_migration (number, name, checksum) VALUES ($1, $2, $3)", [
          migration.number,
          migration.name,
          checksumOf(migration),
        ])
      }),
    )

  const inTransaction = <A, E>(body: Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      run("BEGIN"),
      () => Effect.zipLeft(body, run("COMMIT")),
      (_, exit) => (exit._tag === "Success" ? Effect.void : Effect.ignore(run("ROLLBACK"))),
    )

  const upgrade = Effect.gen(function* () {
    yield* run("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
    yield* run(`SELECT pg_advisory_xact_lock(${LOCK})`)
    yield* run(
      "CREATE TABLE IF NOT EXISTS earmark_migration (number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
    )
    const found = yield* applied
    const refusal = unfit(found, all)
    if (refusal !== null) return yield* refusal
    return (yield* applyAll(pendingOf(found, all))).length
  })

  const check = Effect.gen(function* () {
    const found = yield* applied
    const refusal = unfit(found, all)
    if (refusal !== null) return yield* refusal
    const lacking = pendingOf(found, all).length
    if (lacking === 0) return 0
    const newest = found.at(-1)?.number ?? 0
    const known = all.at(-1)?.number ?? 0
    return yield* new DatabaseUnfit({ reason: "older", found: newest, known, lacking })
  })

  return (only === "check" ? check : inTransaction(upgrade)).pipe(
    Effect.catchTag("DatabaseFailure", (failure: DatabaseFailure) =>
      Effect.fail(storageError("migrate", failure, { mayBeDone: false })),
    ),
  )
}
