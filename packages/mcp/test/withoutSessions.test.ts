/** A connector that keeps no sessions, as with `EARMARK_MCP_SESSIONS=off`. */
import type { AccountId } from "@earmark/core/jobs"
import { type Connector, makeChanges, makeConnector } from "@earmark/mcp"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { EmptyResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { at } from "./calling.js"
import { callerOf, startWorld, type World } from "./world.js"

const ADDRESS = new URL("http://mcp.invalid/api/mcp")

const changes = makeChanges()
let world: World
let account: AccountId
let connector: Connector
let first: FirstClient

const fetch = async (input: string | URL, init?: RequestInit) =>
  connector.fetch(new Request(input, init), callerOf(account))

beforeAll(async () => {
  world = await startWorld()
  account = await world.newAccount()
  connector = makeConnector({ backendFor: world.backendFor, sessions: false, changes })
  first = new FirstClient({ name: "first", version: "1" })
  await first.connect(new FirstTransport(ADDRESS, { fetch }))
})
afterAll(async () => {
  await first?.close()
  await connector?.close()
  await world?.stop()
})

describe("without sessions", () => {
  it("older clients are served the same tools", async () => {
    const modern = await world.connect(callerOf(account))
    assert.deepStrictEqual(
      (await first.listTools()).tools.map(({ name }) => name),
      (await modern.listTools()).tools.map(({ name }) => name),
    )
  })

  it("older clients are promised no news, since none could reach them", async () => {
    const { tools, resources, prompts } = first.getServerCapabilities() ?? {}
    assert.deepStrictEqual(
      { tools, resources, prompts },
      {
        tools: { listChanged: false },
        resources: { subscribe: false, listChanged: false },
        prompts: { listChanged: false },
      },
    )
    const params = { uri: "account://credits" }
    const code = await first.request({ method: "resources/subscribe", params }, EmptyResultSchema).then(
      () => assert.fail("it was accepted"),
      (error: unknown) => at(error, "code"),
    )
    assert.strictEqual(code, -32601)
  })

  it("clients of the modern protocol hear of changes", async () => {
    const mode = { pin: "2026-07-28" } as const
    const client = new Client({ name: "modern", version: "1" }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(ADDRESS, { fetch }))
    assert.deepInclude(client.getServerCapabilities()?.resources, { subscribe: true, listChanged: true })
    const uri = "transcription://tr_2/text"
    const heard = new Promise<string>((resolve) => {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri))
    })
    await client.listen({ resourceSubscriptions: [uri] })
    changes.tell({ account, id: "tr_2", kind: "updated" })
    assert.strictEqual(await heard, uri)
    await client.close()
  })
})
