/** What apps ask for counts like any other request, and ends with its client. */
import { request as ask } from "node:http"
import { makeChanges } from "@earmark/mcp"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { connect, rpc, withToken } from "./app.js"
import { type Host, startHost } from "./world.js"

const policy = (limit: number) => ({ limit, windowSeconds: 3600, burst: limit })

const changes = makeChanges()
let listeners = 0
/** Called when the number of listeners has changed. */
let tell = () => {}
let host: Host

beforeAll(async () => {
  host = await startHost({
    facts: { rateLimits: { create: policy(3), read: policy(500), failures: null } },
    metrics: "local",
    hearsFor: 200,
    product: {
      changes: {
        listen: (account, hear) => {
          const stop = changes.listen(account, hear)
          listeners += 1
          tell()
          return () => {
            stop()
            listeners -= 1
            tell()
          }
        },
      },
    },
  })
})

afterAll(() => host.stop())

const transcribe = (credentials: Record<string, string>) =>
  rpc(host, credentials, "tools/call", {
    name: "transcribe",
    arguments: { url: "https://a.example/talk.mp3?seconds=60", wait_seconds: 0 },
  })

const overRest = (key: string) =>
  fetch(`${host.base}/api/v1/transcriptions`, {
    method: "POST",
    headers: { ...withToken(key), "content-type": "application/json" },
    body: JSON.stringify({ url: "https://a.example/talk.mp3?seconds=60" }),
  })

/** A request of the modern protocol whose client can leave. */
const begin = (key: string, method: string, params: object, name?: string) => {
  const sent = ask(host.mcp, {
    method: "POST",
    headers: {
      ...withToken(key),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
    },
  })
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  }
  const status = new Promise<number>((resolve) => {
    sent.once("response", (answer) => {
      answer.on("error", () => {}).resume()
      resolve(answer.statusCode ?? 0)
    })
  })
  sent.on("error", () => {})
  sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }))
  return { status, leave: () => sent.destroy() }
}

const until = (wanted: number) =>
  new Promise<void>((resolve) => {
    tell = () => {
      if (listeners === wanted) resolve()
    }
    tell()
  })

describe("requests of apps", () => {
  it("count against the limits of the account, with those over REST and of its other apps", async () => {
    const { key } = await host.newKey({ test: true })
    const { access } = await connect(host, key, { scope: null })
    assert.strictEqual((await overRest(key)).status, 202)
    const second = await transcribe(withToken(access))
    assert.strictEqual(second.status, 200)
    assert.include(second.headers.get("ratelimit") ?? "", "r=1")
    assert.strictEqual((await transcribe(withToken(key))).status, 200)
    const refused = await transcribe(withToken(access))
    assert.strictEqual(refused.status, 429)
    assert.isAbove(Number(refused.headers.get("retry-after")), 0)
    assert.include(await refused.text(), "Too many requests")
    assert.strictEqual((await overRest(key)).status, 429)
    // Reading is another matter.
    assert.strictEqual((await rpc(host, withToken(access), "tools/list", {})).status, 200)
    const other = await host.newKey({ test: true })
    assert.strictEqual((await transcribe(withToken(other.key))).status, 200)
  })

  it("are counted where operators look", async () => {
    const { key } = await host.newKey({ test: true })
    await rpc(host, withToken(key), "tools/list", {})
    await rpc(host, {}, "tools/list", {})
    await fetch(`${host.base}/oauth/jwks`)
    const metrics = await (await fetch(`${host.base}/metrics`)).text()
    for (const row of [
      'method="POST",route="/api/mcp",status="2xx"',
      'method="POST",route="/api/mcp",status="4xx"',
      'method="GET",route="/oauth",status="2xx"',
    ]) {
      assert.include(metrics, row)
    }
  })

  it("that listen end with their client, and so does what was done for them", async () => {
    const { key } = await host.newKey({ test: true })
    const { status, leave } = begin(key, "subscriptions/listen", {
      notifications: { resourcesListChanged: true },
    })
    assert.strictEqual(await status, 200)
    await until(1)
    leave()
    await until(0)
    assert.strictEqual((await rpc(host, withToken(key), "tools/list", {})).status, 200)
  })

  it("that wait end with their client, and the job goes on", async () => {
    const { key } = await host.newKey()
    const call = async (name: string, given: object) =>
      (await rpc(host, withToken(key), "tools/call", { name, arguments: given })).text()
    const url = "https://a.example/long.mp3?seconds=110"
    const params = { name: "transcribe", arguments: { url, wait_seconds: 50 } }
    const { status, leave } = begin(key, "tools/call", params, "transcribe")
    let id: string | undefined
    while (id === undefined) id = /tr_[a-z0-9]+/.exec(await call("list_transcriptions", {}))?.[0]
    leave()
    const answered = await Promise.race([status, Promise.resolve("nothing")])
    assert.strictEqual(answered, "nothing")
    assert.include(await call("get_transcription", { id, wait_seconds: 50 }), '"status":"done"')
  })
})
