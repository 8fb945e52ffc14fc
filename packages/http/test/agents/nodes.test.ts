/** Two processes over one Postgres. */
import { ObjectStoreMemory, RateLimiterMemory } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Layer, Redacted } from "effect"
import { Client } from "pg"
import {
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from "../../../../test/servers/postgresServer.js"
import { exchange, post, question, register, rpc, text, withToken } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

describe.skipIf(postgresMissing !== null)(
  `two nodes over Postgres${postgresMissing === null ? "" : ` (${postgresMissing})`}`,
  () => {
    const secretsKey = new Uint8Array(32).fill(7)
    let server: PostgresServer
    let database: string
    let first: Host
    let second: Host
    let key: string

    /** Nodes have one address, that of the first. */
    const start = (facts: { readonly baseUrl?: string } = {}) =>
      startHost({
        facts,
        secretsKey,
        store: Layer.mergeAll(
          Layer.orDie(SqlStore.layerPostgres({ url: Redacted.make(database), migrate: "run" })),
          RateLimiterMemory.layer,
          ObjectStoreMemory.layer,
        ),
      })

    beforeAll(async () => {
      server = await startPostgres()
      database = await server.newDatabase()
      first = await start()
      second = await start({ baseUrl: first.base })
      key = (await first.newKey()).key
    }, 120_000)

    afterAll(async () => {
      await first.stop()
      await second.stop()
      await server.stop()
    }, 60_000)

    const ask = async () => {
      const client = text((await register(second)).body.client_id)
      const asking = question(first, client)
      return { client, asking, answer: await makeBrowser().allow(asking.address, key) }
    }

    it("share clients, sign-ins and tokens, and serve one of eight racing exchanges of a code", async () => {
      const { asking, answer } = await ask()
      const told = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          post(index % 2 === 0 ? first : second, "/oauth/token", exchange(asking, answer)),
        ),
      )
      const served = told.filter(({ status }) => status === 200)
      assert.strictEqual(served.length, 1)
    })

    it("refuse on one what was revoked on the other, at once; eight refreshes on both are served", async () => {
      const { client, asking, answer } = await ask()
      const { body } = await post(first, "/oauth/token", exchange(asking, answer))
      const token = text(body.refresh_token)
      const fields = { grant_type: "refresh_token", client_id: client, refresh_token: token }
      const told = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          post(index % 2 === 0 ? first : second, "/oauth/token", fields),
        ),
      )
      assert.deepStrictEqual(new Set(told.map(({ status }) => status)), new Set([200]))
      const access = text(body.access_token)
      assert.strictEqual((await rpc(second, withToken(access))).status, 200)
      await post(first, "/oauth/revoke", { client_id: client, token })
      for (const node of [first, second]) assert.strictEqual((await rpc(node, withToken(access))).status, 401)
    })

    it("know nobody whose account is gone", async () => {
      const { client, asking, answer } = await ask()
      const { body } = await post(first, "/oauth/token", exchange(asking, answer))
      const gone = new Client({ connectionString: database })
      await gone.connect()
      // The account alone, as far as the authorization server is concerned.
      await gone.query("DELETE FROM oauth_record WHERE account_id IS NOT NULL AND model = 'Grant'")
      await gone.end()
      const fields = {
        grant_type: "refresh_token",
        client_id: client,
        refresh_token: text(body.refresh_token),
      }
      assert.strictEqual((await post(second, "/oauth/token", fields)).body.error, "invalid_grant")
    })

    it("find what was begun before a restart", async () => {
      const client = text((await register(first)).body.client_id)
      const browser = makeBrowser()
      const shown = await browser.open(question(first, client).address)
      const third = await start({ baseUrl: first.base })
      const there = { ...shown, address: shown.address.replace(first.base, third.base) }
      const signed = await browser.send(there, "sign_in", { api_key: key })
      await third.stop()
      assert.notInclude(signed.html, "expired")
    })
  },
)
