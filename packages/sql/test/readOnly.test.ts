import { randomBytes } from "node:crypto"
import { AccountId, ID_RANDOM_BYTES, makeId } from "@earmark/core/jobs"
import { Accounts, Figures, type StorageError } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import * as SqlStore from "../src/SqlStore.js"
import { newUrl, outside, postgresMissing, postgresServer } from "./backends.js"

/** Sets whether new connections to a database may write, as a failover to a standby does. */
const writes = (url: string, may: boolean) =>
  Effect.gen(function* () {
    const { adminUrl } = yield* postgresServer
    const name = new URL(url).pathname.slice(1)
    yield* outside(
      adminUrl,
      `ALTER DATABASE ${name} SET default_transaction_read_only = ${may ? "off" : "on"}`,
    )
    return name
  })

const becomesReadOnly = (url: string) =>
  Effect.gen(function* () {
    const { adminUrl } = yield* postgresServer
    const name = yield* writes(url, false)
    yield* outside(adminUrl, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
      name,
    ])
  })

const addAccount = (accounts: Accounts["Type"]) =>
  accounts.create({
    id: AccountId.make(makeId("account", 0, randomBytes(ID_RANDOM_BYTES))),
    name: "a",
    email: null,
    freeCredits: 1,
    createdAt: 0,
  })

const refusedAs = (error: StorageError) => ({
  reason: error.reason,
  cause: error.cause instanceof Error ? error.cause.message : "",
})

describe.skipIf(postgresMissing !== null)(`a database that takes no writes ${postgresMissing ?? ""}`, () => {
  it.live("is like one that is away, and connections to it are not kept for when it writes again", () =>
    Effect.gen(function* () {
      const url = yield* newUrl
      const context = yield* Layer.build(
        SqlStore.layerPostgres({ url: Redacted.make(url), migrate: "run", maxConnections: 3 }),
      )
      const accounts = Context.get(context, Accounts)
      const { requireWritable } = Context.get(context, Figures)
      yield* requireWritable
      yield* becomesReadOnly(url)
      // The connections that were open end, and each that ends is told once.
      yield* Effect.eventually(accounts.list({ limit: 1, after: null }))
      for (const write of [addAccount(accounts), requireWritable]) {
        const error = yield* Effect.flip(write)
        assert.deepStrictEqual(refusedAs(error), { reason: "unavailable", cause: "readonly 25006" })
      }
      yield* writes(url, true)
      yield* requireWritable
      yield* addAccount(accounts)
    }).pipe(Effect.scoped),
  )
})
