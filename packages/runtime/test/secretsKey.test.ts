import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { StoreKey } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { postgresMissing, startPostgres } from "../../../test/servers/postgresServer.js"
import { databaseOn } from "../../../test/servers/stores.js"
import { localAdministration } from "../src/localAdministration.js"
import { migrateStore } from "../src/migrateStore.js"
import { stores } from "../src/parts/stores.js"
import { readSettings } from "../src/settings/Settings.js"
import { temporaryFolder } from "./folders.js"

type Environment = Readonly<Record<string, string>>

const newKey = () => randomBytes(32).toString("base64")

const settingsOf = (environment: Environment) =>
  Effect.withConfigProvider(readSettings, ConfigProvider.fromMap(new Map(Object.entries(environment))))

/** Opens the store as a service does, and lets go of it; answers the id of its key. */
const open = (environment: Environment) =>
  Effect.gen(function* () {
    const settings = yield* settingsOf(environment)
    const context = yield* Layer.build(stores(settings))
    return yield* Context.get(context, StoreKey).claim("")
  }).pipe(Effect.scoped)

/** Opens the store as a command of the operator does. */
const administer = (environment: Environment) =>
  Effect.flatMap(settingsOf(environment), (settings) => Layer.build(localAdministration(settings))).pipe(
    Effect.scoped,
  )

const takeKey = (environment: Environment) =>
  Effect.flatMap(settingsOf(environment), (settings) => migrateStore(settings, { newSecretsKey: true }))

const messageOf = <A, E extends Error, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

const NOT_OURS =
  /^EARMARK_SECRETS_KEY is not the secrets key of the store\. .* earmark migrate --new-secrets-key; .+ then\.$/

describe.skipIf(postgresMissing !== null)(
  `a store on Postgres${postgresMissing === null ? "" : ` (${postgresMissing})`}`,
  () => {
    it.scopedLive(
      "is of the key of whoever started first, until another one is wanted",
      () =>
        Effect.gen(function* () {
          const server = yield* Effect.acquireRelease(
            Effect.promise(() => startPostgres()),
            ({ stop }) => Effect.promise(stop),
          )
          const base = {
            ...(yield* Effect.promise(() => databaseOn(server))),
            EARMARK_DATA_DIR: yield* temporaryFolder,
          }
          const all = Array.from({ length: 4 }, () => ({ ...base, EARMARK_SECRETS_KEY: newKey() }))
          const opened = yield* Effect.forEach(all, (environment) => Effect.either(open(environment)), {
            concurrency: "unbounded",
          })
          const firsts = all.filter((_, index) => opened[index]?._tag === "Right")
          const [first] = firsts
          if (first === undefined || firsts.length > 1) return assert.fail(`${firsts.length} were let in`)
          const was = yield* open(first)
          for (const other of all.filter((each) => each !== first)) {
            assert.match(yield* messageOf(open(other)), NOT_OURS)
            assert.match(yield* messageOf(administer(other)), NOT_OURS)
          }
          yield* administer(first)

          const next = { ...base, EARMARK_SECRETS_KEY: newKey() }
          const { secrets_key: change, ...migrated } = yield* takeKey(next)
          assert.deepStrictEqual(migrated, { store: "postgres", applied: 0 })
          const is = yield* open(next)
          assert.deepStrictEqual(change, { was, is, sign_in_forgotten: false })
          assert.match(yield* messageOf(open(first)), NOT_OURS)
          const again = yield* takeKey(next)
          assert.deepStrictEqual(again.secrets_key, { was: is, is, sign_in_forgotten: false })
          assert.match(
            yield* messageOf(takeKey({ ...base, EARMARK_SECRETS_KEY: "" })),
            /EARMARK_SECRETS_KEY must be set/,
          )
        }),
      60_000,
    )
  },
)

describe("the embedded store", () => {
  it.scopedLive(
    "is of the key that it was made with, wherever that is now",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const own = { EARMARK_DATA_DIR: folder }
        yield* open({ ...own, EARMARK_SECRETS_KEY: newKey() })
        assert.match(yield* messageOf(administer({ ...own, EARMARK_SECRETS_KEY: newKey() })), NOT_OURS)
        const file = join(folder, "secrets-key")
        writeFileSync(file, newKey())
        const sentence = `The key in ${file} is not the secrets key of the store. `
        assert.include(yield* messageOf(open(own)), sentence)
      }),
    60_000,
  )
})
