import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Accounts, Keys, ServiceConfig } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Redacted } from "effect"
import { postgresMissing, startPostgres } from "../../../test/servers/postgresServer.js"
import { databaseOn } from "../../../test/servers/stores.js"
import { firstStart } from "../src/firstStart.js"
import { stores } from "../src/parts/stores.js"
import { readSettings } from "../src/settings/Settings.js"
import { temporaryFolder } from "./folders.js"

const freshDatabase = Effect.acquireRelease(
  Effect.promise(() => startPostgres()),
  (server) => Effect.promise(server.stop),
).pipe(Effect.flatMap((server) => Effect.promise(() => databaseOn(server))))

/** A process of its own on the database, as far as its first start goes: ready to begin, with its folder. */
const processOn = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const given = new Map(Object.entries({ ...environment, EARMARK_DATA_DIR: folder }))
    const settings = yield* Effect.withConfigProvider(readSettings, ConfigProvider.fromMap(given))
    const kept = Layer.merge(stores(settings), ServiceConfig.layer())
    const context = yield* Layer.build(Keys.layer.pipe(Layer.provideMerge(kept)))
    return { folder, context, start: Effect.provide(firstStart(settings, null), context) }
  })

describe.skipIf(postgresMissing !== null)(
  `processes that start first at once on one empty Postgres${postgresMissing === null ? "" : ` (${postgresMissing})`}`,
  () => {
    it.scopedLive(
      "make one account and one key",
      () =>
        Effect.gen(function* () {
          const environment = yield* freshDatabase
          const processes = yield* Effect.all(
            Array.from({ length: 4 }, () => processOn(environment)),
            { concurrency: "unbounded" },
          )
          yield* Effect.all(
            processes.map(({ start }) => start),
            { concurrency: "unbounded" },
          )
          const files = processes.map(({ folder }) => join(folder, "first-key")).filter(existsSync)
          assert.strictEqual(files.length, 1)
          const [one] = processes
          if (one === undefined) return assert.fail("no process")
          const [accounts, keys] = [Context.get(one.context, Accounts), Context.get(one.context, Keys)]
          const { items } = yield* accounts.list({ limit: 10, after: null })
          assert.strictEqual(items.length, 1)
          const value = readFileSync(files[0] ?? "", "utf8").trim()
          const bearer = yield* keys.authenticate(Redacted.make(value))
          assert.strictEqual(bearer.account, items[0]?.id)
          const page = { limit: 10, cursor: undefined, order: "desc" } as const
          assert.strictEqual((yield* keys.list(bearer.account, page)).data.length, 1)
        }),
      60_000,
    )
  },
)
