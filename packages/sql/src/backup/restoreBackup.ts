import { Data, Effect, Option, Schema, Sink, Stream } from "effect"
import type { ClientBase, QueryResultRow } from "pg"
import { databaseFailure, isBadData, storageError } from "../database/DatabaseFailure.js"
import { migrations } from "../migrations/index.js"
import { migrateClient } from "../migrations/migrate.js"
import { BACKED_UP, type BackedUp, type Counts, FORMAT, lineDigest } from "./backedUp.js"

/** Slices are not backed up. */
const ARE_IN_NO_SLICE = `INSERT INTO search_member (job_id, account_id, created_at)
SELECT job_id, account_id, created_at FROM transcript_search ON CONFLICT (job_id) DO NOTHING`

/** Nothing was restored, and why. */
export class RestoreRefused extends Data.TaggedError("RestoreRefused")<{
  readonly reason: "not_empty" | "no_backup" | "newer" | "not_whole"
}> {
  override get message() {
    return {
      not_empty:
        "The store has accounts or jobs already, and a restore would mix two. Name an empty database, or a new folder.",
      no_backup: "The file is not a backup of Earmark.",
      newer: "The backup was made by a newer version of Earmark. Restore it with that version.",
      not_whole:
        "The backup is damaged or not whole: its end is missing, or a part of it is not as it was written. Take another one.",
    }[this.reason]
  }
}

const Head = Schema.parseJson(
  Schema.Struct({
    earmark: Schema.Literal("backup"),
    format: Schema.Literal(FORMAT),
    migration: Schema.Int,
  }),
)
const TableLine = Schema.parseJson(Schema.Struct({ table: Schema.Literal(...BACKED_UP) }))
const LastLine = Schema.parseJson(
  Schema.Struct({
    counts: Schema.Record({ key: Schema.String, value: Schema.Int }),
    // Older backups have none.
    digest: Schema.optional(Schema.String),
  }),
)

const headOf = Schema.decodeUnknownOption(Head)
const tableOf = Schema.decodeUnknownOption(TableLine)
const countsOf = Schema.decodeUnknownOption(LastLine)

/** The migrations of the database that a backup was made of, by its first line. */
const migrationsOf = (line: string) => {
  const head = headOf(line)
  if (Option.isNone(head)) return new RestoreRefused({ reason: "no_backup" })
  const { migration } = head.value
  const known = migrations.filter(({ number }) => number <= migration)
  return known.at(-1)?.number === migration ? Effect.succeed(known) : new RestoreRefused({ reason: "newer" })
}

/** Refuses what is no backup, and what cannot be read to its end, before there is a database to restore it into. */
export const checkBackup = <E>(lines: Stream.Stream<string, E>) =>
  Stream.orElseIfEmpty(lines, () => "").pipe(
    Stream.zipWithIndex,
    Stream.runForEach(([line, at]) => (at === 0 ? migrationsOf(line) : Effect.void)),
  )

/** Reads a backup into an empty database, all of it or nothing, and answers how many rows each table got. */
export const restoreBackup = <E>(client: ClientBase, lines: Stream.Stream<string, E>) => {
  const run = <Row extends QueryResultRow>(text: string, values: ReadonlyArray<unknown> = []) =>
    Effect.tryPromise({
      try: () => client.query<Row>(text, [...values]),
      catch: (error) => storageError("restore", databaseFailure(error), { mayBeDone: false }),
    })

  /** Brings an empty database to where the one of the backup was. */
  const prepare = Effect.fnUntraced(function* (line: string) {
    yield* migrateClient(client, { all: yield* migrationsOf(line) }).pipe(
      // It is further than the backup: somebody used it.
      Effect.catchTag("DatabaseUnfit", () => new RestoreRefused({ reason: "not_empty" })),
    )
    const { rows } = yield* run<{ readonly used: boolean }>(
      "SELECT EXISTS (SELECT FROM account) OR EXISTS (SELECT FROM job) AS used",
    )
    if (rows[0]?.used !== false) return yield* new RestoreRefused({ reason: "not_empty" })
  })

  const fill = Effect.fnUntraced(function* (head: string, rest: Stream.Stream<string, E>) {
    const digest = lineDigest()
    digest.add(head)
    const counts: Record<string, number> = {}
    let table: BackedUp | null = null
    let told: Counts | null = null
    const take = Effect.fnUntraced(function* (line: string) {
      if (line === "") return
      if (line.startsWith("[")) {
        if (table === null) return yield* new RestoreRefused({ reason: "not_whole" })
        const { rowCount } = yield* run(
          `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
          [line],
        ).pipe(Effect.catchIf(isBadData, () => new RestoreRefused({ reason: "not_whole" })))
        counts[table] = (counts[table] ?? 0) + (rowCount ?? 0)
        return
      }
      const next = tableOf(line)
      if (Option.isSome(next)) {
        table = next.value.table
        counts[table] = 0
        return
      }
      const last = countsOf(line)
      if (Option.isNone(last)) return yield* new RestoreRefused({ reason: "not_whole" })
      if (last.value.digest !== undefined && last.value.digest !== digest.value())
        return yield* new RestoreRefused({ reason: "not_whole" })
      told = last.value.counts
    })
    yield* Stream.runForEach(rest, (line) =>
      Effect.zipLeft(
        take(line),
        Effect.sync(() => digest.add(line)),
      ),
    )
    const expected: Counts = told ?? {}
    const isWhole =
      told !== null && Object.entries(expected).every(([name, count]) => (counts[name] ?? 0) === count)
    if (!isWhole) return yield* new RestoreRefused({ reason: "not_whole" })
    yield* run(
      "SELECT setval(pg_get_serial_sequence('queue', 'seq'), coalesce((SELECT max(seq) FROM queue), 1))",
    )
    return expected
  })

  const whole = (head: string, rest: Stream.Stream<string, E>) =>
    Effect.acquireUseRelease(
      run("BEGIN"),
      () => Effect.zipLeft(fill(head, rest), run("COMMIT")),
      (_, exit) => (exit._tag === "Success" ? Effect.void : Effect.ignore(run("ROLLBACK"))),
    )

  return Effect.scoped(
    Effect.gen(function* () {
      const [first, rest] = yield* Stream.peel(lines, Sink.head<string>())
      const head = Option.getOrElse(first, () => "")
      yield* prepare(head)
      const counts = yield* whole(head, rest)
      yield* migrateClient(client)
      yield* run(ARE_IN_NO_SLICE)
      return counts
    }),
  )
}
