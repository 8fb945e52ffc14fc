import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { BACKED_UP, MADE_AGAIN } from "../src/backup/backedUp.js"
import { restoreBackup } from "../src/backup/restoreBackup.js"
import { writeBackup } from "../src/backup/writeBackup.js"
import { migrations } from "../src/migrations/index.js"
import { migrateClient } from "../src/migrations/migrate.js"
import { withClient } from "../src/pglite/Pglite.js"

const rowsOf = (
  client: { readonly query: (text: string) => Promise<{ readonly rows: ReadonlyArray<unknown> }> },
  text: string,
) => Effect.promise(async () => (await client.query(text)).rows)

describe("a backup", () => {
  it.live("has every table that is kept", () =>
    withClient({}, (client) =>
      Effect.gen(function* () {
        yield* migrateClient(client)
        const tables = yield* rowsOf(
          client,
          `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
            AND relpersistence = 'p' AND relname <> 'earmark_migration'`,
        )
        assert.sameMembers(
          [...BACKED_UP, ...MADE_AGAIN],
          tables.map((row) => String(Object(row).relname)),
        )
      }),
    ),
  )

  it.live("that is damaged or cut off is refused as such, and nothing of it stays", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      yield* withClient({}, (client) =>
        Effect.gen(function* () {
          yield* migrateClient(client)
          yield* rowsOf(
            client,
            "INSERT INTO account (id, name, limits, created_at) VALUES ('acct_1', 'Ann', '{}', now())",
          )
          yield* writeBackup(client, (line) => Effect.sync(() => lines.push(line)))
        }),
      )
      const at = lines.findIndex((line) => line.startsWith("["))
      const changed = (change: (line: string) => string) =>
        lines.map((line, index) => (index === at ? change(line) : line))
      const damages: ReadonlyArray<ReadonlyArray<string>> = [
        lines.slice(0, -1),
        changed((line) => line.slice(0, -9)),
        changed((line) => line.replace("Ann", "Bob")),
        changed((line) => line.replace("20", "xx")),
        [...lines.slice(0, -1), (lines.at(-1) ?? "").slice(0, -1)],
      ]
      yield* withClient({}, (client) =>
        Effect.gen(function* () {
          for (const damaged of damages) {
            const refused = yield* Effect.flip(restoreBackup(client, Stream.fromIterable(damaged)))
            assert.deepInclude(refused, { _tag: "RestoreRefused", reason: "not_whole" })
          }
          const counts = yield* restoreBackup(client, Stream.fromIterable(lines))
          assert.strictEqual(counts.account, 1)
        }),
      )
    }),
  )

  it.live("of an earlier version is brought up to date once it is there", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      yield* withClient({}, (client) =>
        Effect.gen(function* () {
          yield* migrateClient(client, { all: migrations.filter(({ number }) => number <= 10) })
          yield* rowsOf(
            client,
            "INSERT INTO account (id, name, limits, created_at) VALUES ('acct_1', 'Ann', '{}', now())",
          )
          // Tables that came later are written by this version of the backup: nothing is in them.
          for (const table of BACKED_UP) yield* rowsOf(client, `CREATE TABLE IF NOT EXISTS ${table} ()`)
          yield* writeBackup(client, (line) => Effect.sync(() => lines.push(line)))
        }),
      )
      yield* withClient({}, (client) =>
        Effect.gen(function* () {
          const counts = yield* restoreBackup(client, Stream.fromIterable(lines))
          assert.strictEqual(counts.account, 1)
          const [row] = yield* rowsOf(client, "SELECT max(number)::integer AS number FROM earmark_migration")
          assert.strictEqual(Object(row).number, migrations.at(-1)?.number)
        }),
      )
    }),
  )
})
