import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { makeConnector } from "../src/connector.js"
import { at, textAt } from "./calling.js"
import { callerOf, startWorld } from "./world.js"

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"))

const entry = read("server.json")
const manifest = read("package.json")

describe("the entry for the registry", () => {
  it("names this package and this version, everywhere", async () => {
    const version = textAt(manifest, "version")
    assert.strictEqual(textAt(entry, "version"), version)
    assert.strictEqual(textAt(entry, "packages", 0, "version"), version)
    assert.strictEqual(textAt(entry, "packages", 0, "identifier"), textAt(manifest, "name"))
    assert.strictEqual(textAt(entry, "name"), textAt(manifest, "mcpName"))
    const world = await startWorld()
    const account = await world.newAccount()
    const connector = makeConnector({ backendFor: world.backendFor, sessions: false })
    const client = new Client({ name: "test", version: "1" })
    const fetch = async (input: string | URL, init?: RequestInit) =>
      connector.fetch(new Request(input, init), callerOf(account))
    await client.connect(new StreamableHTTPClientTransport(new URL("http://mcp.invalid/"), { fetch }))
    assert.strictEqual(client.getServerVersion()?.version, version)
    await world.stop()
  })

  it("is short enough, and knows the settings", () => {
    assert.isAtMost(textAt(entry, "description").length, 100)
    assert.strictEqual(textAt(entry, "packages", 0, "environmentVariables", 0, "name"), "SERVICE_API_KEY")
    assert.strictEqual(at(entry, "packages", 0, "environmentVariables", 0, "isSecret"), true)
  })
})
