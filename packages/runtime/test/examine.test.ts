import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { FetcherNode } from "@earmark/media"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { redisMissing, startRedis } from "../../../test/servers/redisServer.js"
import { examineRedis } from "../src/examine/redis.js"
import { examineUnknownSettings } from "../src/examine/settings.js"
import { examineStore } from "../src/examine/store.js"
import { examineUploads } from "../src/examine/uploads.js"
import { readSettings } from "../src/settings/Settings.js"
import { temporaryFolder } from "./folders.js"

const withEnvironment = (given: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(given)), { pathDelim: "_" }))

describe("doctor, on settings", () => {
  it.effect("names those that nothing reads, with the nearest one that is read", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* examineUnknownSettings, [
        {
          name: "settings",
          status: "missing",
          detail: "Unknown setting EARMARK_PROT (ignored). Did you mean EARMARK_PORT?",
          fix: "correct the name EARMARK_PROT, or leave it out",
        },
      ])
    }).pipe(withEnvironment({ EARMARK_PROT: "1", EARMARK_HOST: "127.0.0.1" })),
  )
})

describe("doctor, on the data folder", () => {
  const examined = (dataDir: string) =>
    Effect.flatMap(readSettings, examineStore).pipe(withEnvironment({ EARMARK_DATA_DIR: dataDir }))

  it.scoped("says why a server would refuse it", () =>
    Effect.gen(function* () {
      const shared = join(yield* temporaryFolder, "shared")
      mkdirSync(shared)
      chmodSync(shared, 0o1777)
      for (const [folder, trouble] of [
        [shared, "it is a folder that all users share"],
        ["/", "it is the root of a file system"],
      ] as const)
        assert.deepStrictEqual(yield* examined(folder), {
          name: "store",
          status: "missing",
          detail: `The data folder ${folder} cannot be used: ${trouble}. Set EARMARK_DATA_DIR to a folder of your own.`,
          fix: "what the line above says",
        })
    }),
  )

  it.scoped("changes nothing in one that a server would close to others, and makes none", () =>
    Effect.gen(function* () {
      const place = yield* temporaryFolder
      const own = join(place, "own")
      mkdirSync(own)
      chmodSync(own, 0o755)
      assert.deepInclude(yield* examined(own), { status: "unused", fix: "earmark serve" })
      assert.strictEqual(statSync(own).mode & 0o777, 0o755)
      const none = join(place, "none")
      assert.deepInclude(yield* examined(none), { status: "unused", fix: "earmark serve" })
      assert.isFalse(existsSync(none))
    }),
  )
})

describe("doctor, on Redis", () => {
  const examined = (url: string) =>
    Effect.flatMap(readSettings, examineRedis).pipe(withEnvironment({ EARMARK_REDIS_URL: url }))
  const fault = (detail: string) => [
    { name: "redis", status: "missing", detail, fix: "check EARMARK_REDIS_URL" } as const,
  ]

  it.live("says why it cannot be used", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* examined(""), [])
      assert.deepStrictEqual(
        yield* examined("redis://ann:secret@127.0.0.1:1"),
        fault("127.0.0.1:1 does not take connections"),
      )
      assert.deepStrictEqual(
        yield* examined("redis://ann:secret@127.0.0.1/one"),
        fault(
          "The address of Redis is not valid: one is no number of a database. Write it like redis://user:password@host:6379/0.",
        ),
      )
    }),
  )

  it.live.skipIf(redisMissing !== null)("asks one that is there, as the user of the address", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => startRedis()),
        (started) => Effect.promise(() => started.stop()),
      )
      const { host } = new URL(server.url)
      assert.deepStrictEqual(yield* examined(server.url), [
        { name: "redis", status: "ok", detail: `${host} answers`, fix: null },
      ])
      const [refused] = yield* examined(`redis://ann:secret@${host}`)
      assert.deepInclude(refused, { status: "missing", fix: "check EARMARK_REDIS_URL" })
      assert.match(refused?.detail ?? "", /^\S+ refuses: WRONGPASS /)
      assert.notInclude(refused?.detail ?? "", "secret")
    }).pipe(Effect.scoped),
  )
})

describe("doctor, on uploads", () => {
  const examined = (given: Readonly<Record<string, string>>) =>
    Effect.flatMap(readSettings, examineUploads).pipe(
      Effect.provide(FetcherNode.layer()),
      withEnvironment(given),
    )
  const bucketAt = (url: string, changes: Readonly<Record<string, string>> = {}) => ({
    EARMARK_S3_URL: url,
    EARMARK_S3_BUCKET: "recordings",
    EARMARK_S3_KEY: "right",
    EARMARK_S3_SECRET: "secret",
    ...changes,
  })
  const fault = (detail: string, fix: string) => [
    { name: "uploads", status: "missing", detail, fix } as const,
  ]

  it.scoped("says why a server would refuse the data folder, which it needs without a bucket", () =>
    Effect.gen(function* () {
      const beside = {
        EARMARK_DATABASE_URL: "postgres://127.0.0.1:1/x",
        EARMARK_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
      }
      assert.deepStrictEqual(yield* examined({ ...beside, EARMARK_DATA_DIR: yield* temporaryFolder }), [])
      assert.deepStrictEqual(
        yield* examined({ ...beside, EARMARK_DATA_DIR: "/" }),
        fault(
          "The data folder / cannot be used: it is the root of a file system. Set EARMARK_DATA_DIR to a folder of your own.",
          "what the line above says",
        ),
      )
    }),
  )

  it.live("asks the bucket, and says why it cannot be used", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* examined({}), [])
      assert.deepStrictEqual(
        yield* examined(bucketAt("http://127.0.0.1:1")),
        fault("127.0.0.1 does not take connections", "check EARMARK_S3_URL"),
      )
      const server = yield* Effect.acquireRelease(
        Effect.async<ReturnType<typeof createServer>>((resume) => {
          const made = createServer(({ url, headers }, response) => {
            const isKnown = headers.authorization?.includes("Credential=right/") === true
            response.writeHead(isKnown ? (url === "/recordings/" ? 200 : 404) : 403).end()
          })
          made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
        }),
        (made) =>
          Effect.sync(() => {
            made.closeAllConnections()
            made.close()
          }),
      )
      const address = server.address()
      const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`
      const url = `http://${host}`
      assert.deepStrictEqual(yield* examined(bucketAt(url)), [
        { name: "uploads", status: "ok", detail: `the bucket recordings at ${host}`, fix: null },
      ])
      assert.deepStrictEqual(
        yield* examined(bucketAt(url, { EARMARK_S3_KEY: "wrong" })),
        fault(
          `${host} refuses the key (403)`,
          "check EARMARK_S3_KEY, EARMARK_S3_SECRET and EARMARK_S3_REGION; a key that may not list the bucket fails this check alone",
        ),
      )
      assert.deepStrictEqual(
        yield* examined(bucketAt(url, { EARMARK_S3_BUCKET: "other" })),
        fault(`${host} has no bucket other`, "create the bucket, or check EARMARK_S3_BUCKET"),
      )
    }).pipe(Effect.scoped),
  )
})
