import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { isApiKey } from "@earmark/core/signing"
import {
  Accounts,
  ApiKeys,
  Customers,
  Keys,
  Secrets,
  ServiceConfig,
  StorageError,
  StoreMemory,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer, Logger, Redacted, Ref, TestClock } from "effect"
import { firstStart } from "../src/firstStart.js"
import { secrets } from "../src/parts/secretsKey.js"
import { readSettings } from "../src/settings/Settings.js"
import { temporaryFolder } from "./folders.js"

const settingsIn = (folder: string, given: Readonly<Record<string, string>> = {}) =>
  Effect.withConfigProvider(
    readSettings,
    ConfigProvider.fromMap(new Map(Object.entries({ EARMARK_DATA_DIR: folder, ...given }))),
  )

const base = Layer.mergeAll(StoreMemory.layer, ServiceConfig.layer(), Secrets.layerEphemeral)
const store = Layer.mergeAll(Customers.layer, Keys.layer).pipe(Layer.provideMerge(base))

const logged = () => {
  const lines: Array<string> = []
  const layer = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void lines.push(JSON.stringify(message))),
  )
  return { lines, layer }
}

const everyAccount = Effect.flatMap(Accounts, (accounts) => accounts.list({ limit: 10, after: null }))

describe("the first start", () => {
  it.scoped("leaves the key in a file for its owner alone, and logs only its place", () => {
    const { lines, layer } = logged()
    return Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* firstStart(yield* settingsIn(folder), null)
      const file = join(folder, "first-key")
      assert.deepStrictEqual(readdirSync(folder), ["first-key"])
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const value = readFileSync(file, "utf8").trim()
      assert.isTrue(isApiKey(value))
      const keys = yield* Keys
      const { items } = yield* everyAccount
      assert.deepStrictEqual(
        items.map(({ id, name }) => [id, name]),
        [[(yield* keys.authenticate(Redacted.make(value))).account, "default"]],
      )
      assert.strictEqual(lines.length, 1)
      assert.include(lines[0], file)
      assert.notInclude(lines[0], value)
    }).pipe(Effect.provide(Layer.merge(store, layer)))
  })

  it.scoped("shows the key on a terminal, and writes no file", () => {
    const { lines, layer } = logged()
    return Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const shown: Array<string> = []
      yield* firstStart(yield* settingsIn(folder), (text) => Effect.sync(() => shown.push(text)))
      assert.strictEqual(shown.length, 1)
      assert.match(shown[0] ?? "", /em_live_[0-9A-Za-z]{36}/)
      assert.deepStrictEqual(readdirSync(folder), [])
      assert.deepStrictEqual(lines, [])
    }).pipe(Effect.provide(Layer.merge(store, layer)))
  })

  it.scoped("happens once, and goes on where it was cut short", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const settings = yield* settingsIn(folder)
      yield* firstStart(settings, null)
      const first = readFileSync(join(folder, "first-key"), "utf8")
      yield* firstStart(settings, null)
      assert.strictEqual(readFileSync(join(folder, "first-key"), "utf8"), first)
      assert.strictEqual((yield* everyAccount).items.length, 1)
    }).pipe(Effect.provide(store)),
  )

  it.scoped("makes the key when it was killed right after it made the account", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const settings = yield* settingsIn(folder)
      const broken = Keys.of({ ...(yield* Keys), createFirst: () => Effect.dieMessage("killed") })
      yield* Effect.exit(Effect.provideService(firstStart(settings, null), Keys, broken))
      assert.strictEqual((yield* everyAccount).items.length, 1)
      assert.isFalse(existsSync(join(folder, "first-key")))
      yield* firstStart(settings, null)
      assert.strictEqual((yield* everyAccount).items.length, 1)
      assert.isTrue(existsSync(join(folder, "first-key")))
    }).pipe(Effect.provide(store)),
  )

  it.scoped("does nothing to a store that has accounts", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const customers = yield* Customers
      const { id } = yield* customers.create({ name: "Ann" })
      yield* firstStart(yield* settingsIn(folder), null)
      assert.deepStrictEqual(
        (yield* everyAccount).items.map((account) => account.id),
        [id],
      )
      assert.deepStrictEqual(readdirSync(folder), [])
    }).pipe(Effect.provide(store)),
  )

  it.scoped("makes no key that it could not show", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "file")
      writeFileSync(folder, "")
      const refused = yield* Effect.flip(firstStart(yield* settingsIn(folder), null))
      assert.strictEqual(refused._tag, "DataFolderUnfit")
      assert.match(refused.message, /it is a file|a part of its path is a file/)
      const keys = yield* ApiKeys
      const [account] = (yield* everyAccount).items
      if (account === undefined) return assert.fail("there is no account")
      assert.deepStrictEqual((yield* keys.list(account.id, { limit: 1, after: null })).items, [])
    }).pipe(Effect.provide(store)),
  )
})

const KEY = "kR0Ef3mQ0n0k2c8v7m8tq8Jx5o0m8m1dJ0b2Qe4r5sI="

describe("the first start over a server", () => {
  const server = { EARMARK_DATABASE_URL: "postgres://h/d", EARMARK_SECRETS_KEY: KEY }

  const failingWith = (reason: StorageError["reason"], times: number) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const tries = yield* Ref.make(0)
      const cause = new Error("the server restarts")
      const failure = new StorageError({ operation: "accounts.list", reason, cause })
      const list: typeof accounts.list = (page) =>
        Effect.flatMap(
          Ref.getAndUpdate(tries, (count) => count + 1),
          (before) => (before < times ? failure : accounts.list(page)),
        )
      return { tries, accounts: Accounts.of({ ...accounts, list }) }
    })

  it.scoped("waits for one that goes away just then", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { accounts } = yield* failingWith("unavailable", 2)
      const begun = firstStart(yield* settingsIn(folder, server), null)
      const fiber = yield* Effect.fork(Effect.provideService(begun, Accounts, accounts))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(fiber)
      assert.isTrue(existsSync(join(folder, "first-key")))
    }).pipe(Effect.provide(store)),
  )

  it.scoped("does not wait for one that refuses", () =>
    Effect.gen(function* () {
      const { accounts, tries } = yield* failingWith("broken", 1)
      const begun = firstStart(yield* settingsIn(yield* temporaryFolder, server), null)
      const refused = yield* Effect.flip(Effect.provideService(begun, Accounts, accounts))
      assert.strictEqual(refused._tag, "StorageError")
      assert.strictEqual(yield* Ref.get(tries), 1)
    }).pipe(Effect.provide(store)),
  )
})

const idOf = (folder: string, given: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const settings = yield* settingsIn(folder, given)
    const { keys } = yield* Effect.provide(Secrets, secrets(settings))
    return Redacted.value(keys).id
  })

describe("the secrets key", () => {
  it.scoped("is made once, for its owner alone, and the same ever after", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "new", "data")
      const ids = yield* Effect.all(
        Array.from({ length: 8 }, () => idOf(folder)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(new Set(ids).size, 1)
      assert.strictEqual(yield* idOf(folder), ids[0])
      assert.strictEqual(statSync(join(folder, "secrets-key")).mode & 0o777, 0o600)
      assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
      assert.deepStrictEqual(readdirSync(folder), ["secrets-key"])
    }),
  )

  it.scoped("comes from the settings where it is set, and is not written down", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      assert.match(yield* idOf(folder, { EARMARK_SECRETS_KEY: KEY }), /^[0-9a-f]{8}$/)
      assert.deepStrictEqual(readdirSync(folder), [])
    }),
  )

  it.scoped("is required with a database that others use too", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const refused = yield* Effect.flip(idOf(folder, { EARMARK_DATABASE_URL: "postgres://h/d" }))
      assert.match(refused.message, /EARMARK_SECRETS_KEY must be set with EARMARK_DATABASE_URL/)
    }),
  )

  it.scoped("is never another one than the store was made with", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* idOf(folder)
      assert.match(
        (yield* Effect.flip(idOf(folder, { EARMARK_SECRETS_KEY: KEY }))).message,
        /is not the key in/,
      )
      writeFileSync(join(folder, "secrets-key"), "half")
      assert.match((yield* Effect.flip(idOf(folder))).message, /does not hold 32 bytes/)
      rmSync(join(folder, "secrets-key"))
      mkdirSync(join(folder, "database"))
      assert.match((yield* Effect.flip(idOf(folder))).message, /Set EARMARK_SECRETS_KEY to it/)
      assert.deepStrictEqual(readdirSync(folder), ["database"])
    }),
  )

  it.scoped("says so when the folder is not for us", () =>
    Effect.gen(function* () {
      if (process.getuid?.() === 0) return
      const folder = yield* temporaryFolder
      chmodSync(folder, 0o500)
      assert.match((yield* Effect.flip(idOf(join(folder, "data")))).message, /you may not write there/)
    }),
  )
})
