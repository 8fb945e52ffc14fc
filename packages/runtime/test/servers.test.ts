import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  findServer,
  forgetProfile,
  isServerInUse,
  profilesPath,
  readAddress,
  readProfiles,
  type ServerAccess,
  type ServerNamed,
  saveProfile,
  useProfile,
} from "@earmark/runtime/user"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"

const place = mkdtempSync(join(tmpdir(), "earmark-servers-"))
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** A user of their own, with the variables of their environment. */
const makeUser = (name: string, variables: Readonly<Record<string, string>> = {}) => {
  const home = join(place, name)
  mkdirSync(home)
  const provider = ConfigProvider.fromMap(
    new Map(Object.entries({ XDG_CONFIG_HOME: home, EARMARK_DATA_DIR: join(home, "data"), ...variables })),
  )
  return { home, as: Effect.withConfigProvider(provider) }
}

const NOBODY: ServerNamed = { server: null, profile: null }

const find = (named: ServerNamed, refused: ReadonlyArray<string> = []) => {
  const others: Array<string> = []
  const value = ({ apiKey }: ServerAccess) => Redacted.value(apiKey)
  return Effect.map(
    findServer(
      named,
      (access) => Effect.sync(() => refused.includes(value(access))),
      (_, other) => Effect.sync(() => void others.push(value(other))),
    ),
    (found) =>
      found && { url: found.baseUrl, key: value(found), from: found.keyFrom, isNamed: found.isNamed, others },
  )
}

describe("the saved servers of a user", () => {
  const { home, as } = makeUser("ann")

  it.effect("are in a file of their own, and the last that was saved is in use", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* isServerInUse)
      yield* saveProfile("one", { url: "https://one.example", key: "k1" })
      yield* saveProfile("two", { url: "https://two.example", key: "k2" })
      assert.strictEqual((yield* readProfiles).current, "two")
      assert.isTrue(yield* isServerInUse)
      const path = yield* profilesPath
      assert.strictEqual(path, join(home, "earmark", "config.json"))
      assert.strictEqual(statSync(path).mode & 0o077, 0)
      yield* forgetProfile("two")
      assert.deepStrictEqual(yield* readProfiles, {
        current: null,
        profiles: { one: { url: "https://one.example", key: "k1" } },
      })
      yield* useProfile("one")
      writeFileSync(path, readFileSync(path, "utf8").slice(1))
      assert.strictEqual((yield* Effect.flip(readProfiles)).reason, "malformed")
    }).pipe(as),
  )
})

describe("the server that somebody means", () => {
  it.effect("is the one that is named, else the profile in use; its key is the first that it accepts", () =>
    Effect.gen(function* () {
      yield* saveProfile("old", { url: "https://one.example", key: "k-old" })
      yield* saveProfile("one", { url: "https://one.example", key: "k-one" })
      const found = yield* find(NOBODY)
      assert.deepStrictEqual(found, {
        url: "https://one.example",
        key: "k-one",
        from: { type: "profile", name: "one" },
        isNamed: true,
        others: [],
      })
      assert.deepStrictEqual((yield* find(NOBODY, ["k-one"]))?.others, ["k-old"])
      assert.strictEqual((yield* find(NOBODY, ["k-one", "k-old"]))?.key, "k-one")
      assert.strictEqual((yield* find({ server: "https://one.example//", profile: null }))?.key, "k-one")
      assert.strictEqual((yield* find({ server: null, profile: "old" }, ["k-old"]))?.key, "k-old")
      const reasons = yield* Effect.forEach(
        [
          { server: "https://two.example", profile: null },
          { server: "https://one.example", profile: "one" },
          { server: null, profile: "three" },
        ],
        (named) => Effect.flip(find(named)),
      )
      assert.deepStrictEqual(
        reasons.map((refused) => "reason" in refused && refused.reason),
        ["no_key", "named_twice", "no_such_profile"],
      )
    }).pipe(makeUser("ben").as),
  )

  it.effect("is the one of this machine where none is named, with the key of its first start", () => {
    const { home, as } = makeUser("cas", { EARMARK_PORT: "8801" })
    return Effect.gen(function* () {
      assert.isNull(yield* find(NOBODY))
      mkdirSync(join(home, "data"))
      writeFileSync(join(home, "data", "first-key"), "k-first\n")
      const found = yield* find(NOBODY)
      assert.deepInclude(found, { url: "http://127.0.0.1:8801", key: "k-first", isNamed: false })
    }).pipe(as)
  })

  it.effect("has the key of the environment, for the address beside it alone", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* find(NOBODY), { url: "https://set.example", key: "k-set" })
      const elsewhere = yield* Effect.flip(find({ server: "https://one.example", profile: null }))
      assert.deepInclude(elsewhere, { reason: "no_key", subject: "https://one.example" })
    }).pipe(makeUser("dan", { EARMARK_BASE_URL: "https://set.example", SERVICE_API_KEY: "k-set" }).as),
  )

  it.effect("is told by an address, and by what one was meant", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* readAddress("HTTPS://one.example/"), "HTTPS://one.example")
      for (const [given, meant] of [
        ["one.example", ["https://one.example"]],
        ["localhost:80", ["http://localhost:80"]],
        ["not an address", []],
      ] as const)
        assert.deepStrictEqual((yield* Effect.flip(readAddress(given))).known, meant)
    }),
  )
})
