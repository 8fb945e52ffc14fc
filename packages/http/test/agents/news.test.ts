/** Who listens on one node hears of what was done on another. */

import { ObjectStoreMemory, RateLimiterMemory } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Layer, Redacted } from "effect"
import { Client as Database } from "pg"
import { because } from "../../../../test/servers/because.js"
import { pgbouncerMissing, startPgbouncer } from "../../../../test/servers/pgbouncer.js"
import {
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from "../../../../test/servers/postgresServer.js"
import { rpc, text, withToken } from "./app.js"
import { type Host, startHost } from "./world.js"

const missing = postgresMissing ?? pgbouncerMissing

/** Nobody looks of themselves as soon as this, where everything is told. */
const MOMENT = 5000

describe.skipIf(missing !== null)(`nodes over one Postgres${because(missing)}`, () => {
  const secretsKey = new Uint8Array(32).fill(7)
  const hosts: Array<Host> = []
  const clients: Array<Client> = []
  let server: PostgresServer
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>
  let database: string
  let first: Host
  let key: string

  const start = async (url: string, prepare: boolean) => {
    const host = await startHost({
      facts: hosts[0] === undefined ? {} : { baseUrl: hosts[0].base },
      secretsKey,
      product: {},
      store: Layer.mergeAll(
        Layer.orDie(SqlStore.layerPostgres({ url: Redacted.make(url), prepare, migrate: "run" })),
        RateLimiterMemory.layer,
        ObjectStoreMemory.layer,
      ),
    })
    hosts.push(host)
    return host
  }

  beforeAll(async () => {
    server = await startPostgres()
    database = await server.newDatabase()
    pooler = await startPgbouncer(database)
    first = await start(database, true)
    key = (await first.newKey({ test: true })).key
  }, 120_000)

  afterAll(async () => {
    for (const client of clients) await client.close()
    for (const host of hosts) await host.stop()
    await pooler.stop()
    await server.stop()
  }, 60_000)

  /** A client of a node that listens, and what it has heard of. */
  const listener = async (host: Host) => {
    const client = new Client({ name: "listener", version: "1" }, { versionNegotiation: { mode: "legacy" } })
    const heard: Array<string> = []
    const waiting = new Set<() => void>()
    const hear = (what: string) => {
      heard.push(what)
      for (const look of [...waiting]) look()
    }
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => hear(params.uri))
    client.setNotificationHandler("notifications/resources/list_changed", () => hear("list"))
    const requestInit = { headers: withToken(key) }
    await client.connect(new StreamableHTTPClientTransport(new URL(host.mcp), { requestInit }))
    clients.push(client)
    // The first look is over when the balance can be read.
    await client.callTool({ name: "get_credit_balance", arguments: {} })
    return {
      client,
      /** How long it took, from the call on, until this was heard. */
      until: (what: string) =>
        new Promise<number>((resolve) => {
          const from = performance.now()
          const look = () => {
            const at = heard.indexOf(what)
            if (at < 0) return
            heard.splice(0)
            waiting.delete(look)
            resolve(performance.now() - from)
          }
          waiting.add(look)
          look()
        }),
    }
  }

  const call = async (host: Host, name: string, given: object) => {
    const answer = await rpc(host, withToken(key), "tools/call", { name, arguments: given })
    return answer.text()
  }

  /** A job that was made and has ended, as one node knows it. */
  const transcribed = async (host: Host) => {
    const url = "https://a.example/talk.mp3?seconds=60"
    const id = text(/tr_[a-z0-9]+/.exec(await call(host, "transcribe", { url, wait_seconds: 0 }))?.[0])
    await call(host, "get_transcription", { id, wait_seconds: 50 })
    return id
  }

  const rename = (host: Host, id: string, title: string) =>
    fetch(`${host.base}/api/v1/transcriptions/${id}`, {
      method: "PATCH",
      headers: { ...withToken(key), "content-type": "application/json" },
      body: JSON.stringify({ title }),
    }).then(({ status }) => assert.strictEqual(status, 200))

  const statement = async (sql: string) => {
    const asking = new Database({ connectionString: database })
    await asking.connect()
    const { rows } = await asking.query(sql)
    await asking.end()
    return rows
  }

  it("hear of each other within a moment, and again after a connection that listened was lost", async () => {
    const second = await start(database, true)
    const { client, until } = await listener(second)
    const made = until("list")
    const id = await transcribed(first)
    assert.isBelow(await made, MOMENT)
    const uri = `transcription://${id}/text`
    await client.subscribeResource({ uri })
    const renamed = until(uri)
    await rename(first, id, "One")
    assert.isBelow(await renamed, MOMENT)
    const missed = until(uri)
    const lost = await statement(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND pid <> pg_backend_pid()",
    )
    assert.strictEqual(lost.length, 2)
    await rename(first, id, "Two")
    assert.isBelow(await missed, MOMENT)
    const again = until(uri)
    await rename(first, id, "Three")
    assert.isBelow(await again, MOMENT)
  })

  it("look every two seconds behind a pooler that lets nobody listen, and are heard by the others", async () => {
    const pooled = await start(pooler.url, false)
    const [behind, before] = [await listener(pooled), await listener(first)]
    const id = await transcribed(first)
    await behind.until("list")
    const uri = `transcription://${id}/text`
    for (const { client } of [behind, before]) await client.subscribeResource({ uri })
    const [there, here] = [behind.until(uri), before.until(uri)]
    await rename(pooled, id, "One")
    assert.isBelow(await there, MOMENT)
    assert.isBelow(await here, MOMENT)
  })
})
