import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { checksumOf, migrations } from "../src/migrations/index.js"
import { migrateClient } from "../src/migrations/migrate.js"
import { migrate } from "../src/postgres/Postgres.js"
import { postgresMissing, postgresServer } from "./backends.js"

/** What was released. A line here never changes; new ones are added. */
const RELEASED = {
  1: "9eaa46f26460ec9b",
  2: "b1fb2c58904d4b72",
  3: "10926eee9b67eae4",
  4: "ea3dfc08e739484e",
  5: "d59b0ca540a387fe",
  6: "9724bfa54a9b8127",
  7: "1da92dd82bd97f5a",
  8: "a7b778bc89fe82fd",
  9: "a94618934a2183ea",
  10: "fb1386484c781c5f",
  11: "74e437340516ec86",
  12: "13e4e3de315994ed",
  14: "c44e5b0edd5179db",
  16: "b51a5a634cf9c9a6",
  17: "d5a395725fd21979",
  19: "4a836281b50bf55c",
  20: "ea19eac69f796514",
  21: "d470b26beea316aa",
  22: "23ceecf345434b88",
  23: "4ed64d467bc97d34",
  24: "3ecc6a04efdd098f",
  25: "dfb0d4a877f4296e",
  26: "6ac695a153ee4af8",
  27: "7fc07031566a0773",
  28: "32ab20c6f3b195f3",
  29: "bf91682e0d7706ec",
  30: "46f49dbd05480093",
  31: "ec46177e4797f2da",
  32: "f4a3ecd767f5051c",
  33: "c542ccdc5c41f49b",
}

const NEWEST = migrations.at(-1)?.number ?? 0

const newDatabase = Effect.gen(function* () {
  const server = yield* postgresServer
  return yield* Effect.promise(() => server.newDatabase())
})

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )

/** Everything that a schema is made of, as text. */
const schemaOf = (client: Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query(`
      SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS part
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT 'function ' || proname || ' ' || md5(prosrc) FROM pg_proc p
        JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'public'
      UNION ALL SELECT 'policy ' || tablename || ' ' || qual FROM pg_policies ORDER BY 1`)
    return rows.map(({ part }) => part)
  })

const numbers = (client: Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query("SELECT number FROM earmark_migration ORDER BY number")
    return rows.map(({ number }) => number)
  })

describe("migrations", () => {
  it("never change once they were released", () => {
    const known = Object.fromEntries(migrations.map((migration) => [migration.number, checksumOf(migration)]))
    assert.deepStrictEqual(known, RELEASED)
  })

  it("are in the order of their numbers, each of them once", () => {
    const numbers = migrations.map(({ number }) => number)
    assert.deepStrictEqual(
      numbers,
      [...new Set(numbers)].sort((left, right) => left - right),
    )
  })
})

describe.skipIf(postgresMissing !== null)(`migrations on Postgres${postgresMissing ?? ""}`, () => {
  it.scoped(
    "of many processes that start at once on an empty database one migrates, and all go on",
    () =>
      Effect.gen(function* () {
        const url = yield* newDatabase
        const options = { url: Redacted.make(url) }
        const steps = yield* Effect.all(
          Array.from({ length: 8 }, () => migrate(options)),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual([...steps].sort(), [0, 0, 0, 0, 0, 0, 0, migrations.length])
        assert.deepStrictEqual(
          yield* numbers(yield* connect(url)),
          migrations.map(({ number }) => number),
        )
      }),
    60_000,
  )

  it.scoped(
    "lead from every earlier version to the same schema",
    () =>
      Effect.gen(function* () {
        const expected = yield* connect(yield* newDatabase)
        yield* migrateClient(expected)
        const wanted = yield* schemaOf(expected)
        for (const { number } of migrations) {
          const client = yield* connect(yield* newDatabase)
          const older = migrations.filter((each) => each.number <= number)
          yield* migrateClient(client, { all: older })
          assert.strictEqual(yield* migrateClient(client), migrations.length - older.length)
          assert.deepStrictEqual(yield* schemaOf(client), wanted)
        }
      }),
    60_000,
  )

  it.scoped("the one that records the secrets key goes by what is sealed, where all of it agrees", () =>
    Effect.gen(function* () {
      const sealed = (id: string) => `1.${id}.${"n".repeat(16)}.${"s".repeat(22)}`
      /** What version 9 records of a store with these keys of the authorization server, and these secrets of endpoints. */
      const recorded = (keys: ReadonlyArray<string>, endpoints: ReadonlyArray<ReadonlyArray<string>>) =>
        Effect.gen(function* () {
          const client = yield* connect(yield* newDatabase)
          yield* migrateClient(client, { all: migrations.filter(({ number }) => number < 9) })
          const insert = (text: string, ...values: ReadonlyArray<string>) =>
            Effect.promise(() => client.query(text, [...values]))
          for (const [index, key] of keys.entries()) {
            yield* insert(
              "INSERT INTO oauth_record (model, id, payload, created_at) VALUES ('Keys', $1, $2, now())",
              String(index),
              JSON.stringify({ sealed: key }),
            )
          }
          for (const [index, secrets] of endpoints.entries()) {
            yield* insert(
              `INSERT INTO webhook_endpoint (id, account_id, url, events, enabled, secrets, circuit, created_at)
              VALUES ($1, 'acct', 'https://hooks.example', '{}', true, $2, '{}', now())`,
              String(index),
              JSON.stringify(secrets.map((secret) => ({ sealed: secret, endsAt: null }))),
            )
          }
          yield* migrateClient(client)
          const { rows } = yield* Effect.promise(() => client.query("SELECT id FROM secrets_key"))
          return rows.map(({ id }) => id)
        })
      const [one, other] = ["00000001", "00000002"]
      assert.deepStrictEqual(yield* recorded([], []), [])
      assert.deepStrictEqual(yield* recorded([sealed(one), sealed(one)], []), [one])
      assert.deepStrictEqual(yield* recorded([], [[sealed(one)]]), [one])
      // A secret that was rotated away may be of an older key.
      assert.deepStrictEqual(yield* recorded([sealed(one)], [[sealed(one), sealed(other)]]), [one])
      assert.deepStrictEqual(yield* recorded([sealed(one)], [[sealed(other)]]), [])
      assert.deepStrictEqual(yield* recorded(["sealed"], [["1.x"], []]), [])
    }),
  )

  it.scoped("a step whose number is below one that is there is not left out", () =>
    Effect.gen(function* () {
      const client = yield* connect(yield* newDatabase)
      const late = { number: 0, name: "late", sql: "CREATE TABLE late (id text)" }
      yield* migrateClient(client)
      const all = [late, ...migrations]
      assert.strictEqual(
        (yield* Effect.flip(migrateClient(client, { all, only: "check" })))._tag,
        "DatabaseUnfit",
      )
      assert.strictEqual(yield* migrateClient(client, { all }), 1)
      assert.strictEqual(yield* migrateClient(client, { all, only: "check" }), 0)
    }),
  )

  it.scoped("a step that fails leaves the database as it was", () =>
    Effect.gen(function* () {
      const client = yield* connect(yield* newDatabase)
      const broken = {
        number: 4,
        name: "broken",
        sql: "CREATE TABLE half (id text); SELECT nothing_like_this()",
      }
      const error = yield* Effect.flip(migrateClient(client, { all: [...migrations, broken] }))
      assert.deepInclude(error, { _tag: "StorageError", reason: "broken" })
      assert.deepStrictEqual(yield* schemaOf(client), [])
    }),
  )

  it.scoped("a database that a newer version made is refused, with both numbers", () =>
    Effect.gen(function* () {
      const client = yield* connect(yield* newDatabase)
      const next = { number: NEWEST + 1, name: "next", sql: "SELECT 1" }
      yield* migrateClient(client, { all: [...migrations, next] })
      for (const options of [{}, { only: "check" }] as const) {
        const error = yield* Effect.flip(migrateClient(client, options))
        assert.deepInclude(error, {
          _tag: "DatabaseUnfit",
          reason: "newer",
          found: NEWEST + 1,
          known: NEWEST,
        })
      }
    }),
  )

  it.scoped("a database with another history is refused", () =>
    Effect.gen(function* () {
      const client = yield* connect(yield* newDatabase)
      yield* migrateClient(client)
      yield* Effect.promise(() =>
        client.query("UPDATE earmark_migration SET checksum = 'other' WHERE number = 2"),
      )
      const error = yield* Effect.flip(migrateClient(client))
      assert.deepInclude(error, { _tag: "DatabaseUnfit", reason: "changed", found: 2 })
    }),
  )

  it.scoped("a check changes nothing, and refuses a database that is behind", () =>
    Effect.gen(function* () {
      const client = yield* connect(yield* newDatabase)
      const error = yield* Effect.flip(migrateClient(client, { only: "check" }))
      assert.deepInclude(error, {
        _tag: "DatabaseUnfit",
        reason: "older",
        found: 0,
        known: NEWEST,
      })
      // Their numbers leave some out, so the last one is not how many there are.
      const lacks = (count: string) =>
        `The database lacks ${count} that this version of Earmark needs. Run earmark migrate.`
      assert.strictEqual(error.message, lacks(`${migrations.length} migrations`))
      assert.deepStrictEqual(yield* schemaOf(client), [])
      yield* migrateClient(client, { all: migrations.slice(0, -1) })
      const behind = yield* Effect.flip(migrateClient(client, { only: "check" }))
      assert.strictEqual(behind.message, lacks("1 migration"))
      assert.strictEqual(yield* migrateClient(client), 1)
      assert.strictEqual(yield* migrateClient(client, { only: "check" }), 0)
    }),
  )
})
