import { assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { connect } from "../../../packages/http/test/agents/app.js"
import { bin } from "../earmark.js"
import type { World } from "./asking.js"

const TOOLS = [
  "transcribe",
  "get_transcription",
  "upload_file",
  "export_transcript",
  "transcribe_podcast_feed",
  "search_transcript",
  "ask_transcript",
  "get_credit_balance",
]

const newClient = () =>
  new Client({ name: "app", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } })

/** What both servers have: the same tools, and the account of whoever signed in. */
const assertServes = async (client: Client, balance: unknown) => {
  const { tools } = await client.listTools()
  assert.includeMembers(
    tools.map(({ name }) => name),
    TOOLS,
  )
  const { structuredContent } = await client.callTool({ name: "get_credit_balance", arguments: {} })
  assert.strictEqual(Object(structuredContent).balance, balance)
}

/** Part 4.8, and how agents sign in. */
export const agentStatements = (world: () => World) =>
  describe("agents", () => {
    const balance = async () => (await world().call("/api/v1/credits")).body.balance

    it("4.8, 5.2: the hosted connector at /api/mcp: the agent signs in once with OAuth, and no API key is passed", async () => {
      const { server } = world()
      const base = server.baseUrl
      const mcp = `${base}/api/mcp`
      const refused = await fetch(mcp, { method: "POST", body: "{}" })
      assert.strictEqual(refused.status, 401)
      assert.match(refused.headers.get("www-authenticate") ?? "", /resource_metadata=/)
      const { access } = await connect({ base, mcp }, server.key, {
        scope: "transcriptions:read billing:read",
      })
      assert.notInclude(access, "em_live_")
      const client = newClient()
      const headers = { Authorization: `Bearer ${access}` }
      await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers } }))
      await assertServes(client, await balance())
      await client.close()
    })

    it("4.8, 5.3: the local server is supplied with the key through SERVICE_API_KEY, and has the same tools", async () => {
      const { server } = world()
      const client = newClient()
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [bin, "mcp"],
          env: {
            PATH: process.env.PATH ?? "",
            SERVICE_API_KEY: server.key,
            EARMARK_BASE_URL: server.baseUrl,
          },
        }),
      )
      await assertServes(client, await balance())
      await client.close()
    })
  })
