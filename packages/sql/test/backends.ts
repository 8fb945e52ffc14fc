import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Duration, Effect, Layer, Redacted, type Scope } from "effect"
import { Client } from "pg"
import { makeFileScope } from "../../../test/servers/endOfFile.js"
import { pgbouncerMissing, startPgbouncer } from "../../../test/servers/pgbouncer.js"
import { type PostgresServer, postgresMissing, startPostgres } from "../../../test/servers/postgresServer.js"
import { Database } from "../src/database/Database.js"
import { timeText } from "../src/database/values.js"
import * as Embedded from "../src/embedded/Embedded.js"
import * as Pglite from "../src/pglite/Pglite.js"
import * as Postgres from "../src/postgres/Postgres.js"
import { canEmbed, layerStores } from "../src/SqlStore.js"

export { postgresMissing }
export const embeddedMissing = canEmbed() ? null : "no Postgres from npm for this system"
export const poolerMissing = postgresMissing ?? pgbouncerMissing

let server: Promise<PostgresServer> | undefined

/** One for all tests of a file. Stores are closed before the server that they are on. */
const fileScope = makeFileScope(async () => {
  const started = server
  server = undefined
  await (await started)?.stop()
})

/** One server for all tests of a file. */
export const postgresServer = Effect.promise(() => {
  fileScope()
  server ??= startPostgres()
  return server
})

/** The address of a database of its own. */
export const newUrl = Effect.gen(function* () {
  const server = yield* postgresServer
  return yield* Effect.promise(() => server.newDatabase())
})

/** Runs one statement from outside. */
export const outside = (url: string, text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(text, [...values])
    await client.end()
    return rows
  })

/** The address of a database of its own behind a pooler in transaction mode. */
export const pooledUrl = Effect.gen(function* () {
  const server = yield* postgresServer
  const url = yield* Effect.promise(() => server.newDatabase())
  const pooler = yield* Effect.acquireRelease(
    Effect.promise(() => startPgbouncer(url)),
    ({ stop }) => Effect.promise(stop),
  )
  return pooler.url
})

/** A folder that lives as long as the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "earmark-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
)

const now = Effect.flatMap(Database, (database) =>
  database.query<{ readonly now: number }>("now", "SELECT earmark_now() AS now", [], { reads: true }),
).pipe(
  Effect.map(([row]) => row?.now ?? 0),
  Effect.orDie,
)

/** Moves the one clock of the store, which stands still from then on. */
const advance = (duration: Duration.DurationInput) =>
  Effect.gen(function* () {
    const database = yield* Database
    const next = (yield* now) + Duration.toMillis(duration)
    yield* database.query(
      "advance",
      `CREATE OR REPLACE FUNCTION earmark_now() RETURNS timestamptz LANGUAGE sql STABLE AS
      $$ SELECT '${timeText(next)}'::timestamptz $$`,
      [],
    )
  }).pipe(Effect.orDie)

/** What `build` builds, once for the tests of a file. */
const oncePerFile = <A, E>(build: (scope: Scope.Scope) => Effect.Effect<A, E>) => {
  const built = new WeakMap<Scope.Scope, Effect.Effect<A, E>>()
  return Effect.suspend(() => {
    const scope = fileScope()
    const known = built.get(scope) ?? Effect.runSync(Effect.cached(build(scope)))
    built.set(scope, known)
    return known
  })
}

/** Every store over a database whose clock stands still; one for all suites of a file, since starting one takes seconds. */
const withStores = <E>(database: Layer.Layer<Layer.Layer.Success<ReturnType<typeof Pglite.layer>>, E>) => {
  const stores = layerStores.pipe(
    Layer.provideMerge(Layer.effectDiscard(advance(0))),
    Layer.provideMerge(database),
  )
  return Layer.effectContext(oncePerFile((scope) => Layer.buildWithScope(stores, scope)))
}

const clock = { now, advance }

export const pgliteFile = {
  layer: withStores(
    Layer.unwrapScoped(
      Effect.map(temporaryFolder, (folder) => Pglite.layer({ directory: join(folder, "database") })),
    ),
  ),
  ...clock,
}

export const embedded = {
  layer: withStores(
    Layer.unwrapScoped(
      Effect.map(temporaryFolder, (folder) => Embedded.layer({ directory: join(folder, "postgres") })),
    ),
  ),
  ...clock,
}

/** Two connections of ours are one of the server at times, and one is two. */
export const behindPooler = {
  layer: withStores(
    Layer.unwrapScoped(
      Effect.map(pooledUrl, (url) =>
        Postgres.layer({ url: Redacted.make(url), migrate: "run", prepare: false }),
      ),
    ),
  ),
  ...clock,
}

export const postgres = {
  layer: withStores(
    Layer.unwrapScoped(
      Effect.gen(function* () {
        const server = yield* postgresServer
        const url = Redacted.make(yield* Effect.promise(() => server.newDatabase()))
        return Postgres.layer({ url, migrate: "run", rowSecurity: true })
      }),
    ),
  ),
  ...clock,
}
