import { Effect } from "effect"
import type { ClientBase, QueryResultRow } from "pg"
import { databaseFailure, storageError } from "../database/DatabaseFailure.js"
import { BACKED_UP, type BackedUp, type Counts, FORMAT, lineDigest } from "./backedUp.js"

/** Rows at a time. Some hold a whole transcript each. */
const AT_ONCE = 100
const LARGE_AT_ONCE = 5
const LARGE: ReadonlyArray<BackedUp> = ["idempotency", "job", "job_span", "transcript", "transcript_search"]

/**
 * Writes one moment of the whole store, as lines: what it is, then for each table its name and its rows (as the database itself writes them
 * as JSON, some at a time), and at last how many there were, with a digest of the lines before. Without that last line a backup is not whole.
 */
export const writeBackup = <E>(client: ClientBase, put: (line: string) => Effect.Effect<void, E>) => {
  const digest = lineDigest()
  const write = (line: string) => {
    digest.add(line)
    return put(line)
  }

  const run = <Row extends QueryResultRow>(text: string) =>
    Effect.tryPromise({
      try: () => client.query<Row>(text),
      catch: (error) => storageError("backup", databaseFailure(error), { mayBeDone: false }),
    })

  const rowsOf = Effect.fnUntraced(function* (table: BackedUp) {
    const size = LARGE.includes(table) ? LARGE_AT_ONCE : AT_ONCE
    yield* write(JSON.stringify({ table }))
    yield* run(
      `DECLARE kept NO SCROLL CURSOR FOR SELECT row_to_json(each)::text AS row FROM ${table} AS each`,
    )
    let count = 0
    for (;;) {
      const { rows } = yield* run<{ readonly row: string }>(`FETCH ${size} FROM kept`)
      if (rows.length === 0) break
      count += rows.length
      yield* write(`[${rows.map(({ row }) => row).join(",")}]`)
    }
    yield* run("CLOSE kept")
    return count
  })

  const all = Effect.gen(function* () {
    const { rows } = yield* run<{ readonly number: number; readonly now: string }>(
      "SELECT max(number) AS number, to_json(now()) #>> '{}' AS now FROM earmark_migration",
    )
    const [found] = rows
    yield* write(
      JSON.stringify({ earmark: "backup", format: FORMAT, migration: found?.number, made_at: found?.now }),
    )
    const counts: Record<string, number> = {}
    for (const table of BACKED_UP) counts[table] = yield* rowsOf(table)
    yield* put(JSON.stringify({ counts, digest: digest.value() }))
    const whole: Counts = counts
    return whole
  })

  return Effect.acquireUseRelease(
    run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
    () => Effect.zipLeft(all, run("COMMIT")),
    (_, exit) => (exit._tag === "Success" ? Effect.void : Effect.ignore(run("ROLLBACK"))),
  )
}
