/** What tools say of themselves to a client that decides by it whether to ask the person first. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client, InMemoryTransport, type Tool } from "@modelcontextprotocol/client"
import { Runtime } from "effect"
import { makeCalls } from "../src/server/Calls.js"
import { makeServer } from "../src/server/makeServer.js"
import { productFor } from "../src/server/product.js"
import { makeLocalFiles } from "../src/stdio/localFiles.js"
import { tools } from "../src/tools/tools.js"
import { caller, textAt } from "./calling.js"
import { callerOf, startWorld, type World } from "./world.js"

let world: World
let folder: string
/** A client of a hosted server, and one of a server on the person's own machine, of one account. */
let clients: Readonly<Record<"hosted" | "local", Client>>

beforeAll(async () => {
  world = await startWorld()
  folder = mkdtempSync(join(tmpdir(), "earmark-annotations-"))
  const account = await world.newAccount()
  const local = new Client({ name: "test", version: "1" })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const product = productFor({
    customerOf: () => ({ backend: world.backendFor(callerOf(account)), scopes: null }),
    files: makeLocalFiles(folder),
    runtime: Runtime.defaultRuntime,
    calls: makeCalls(),
  })
  await makeServer(product, { tells: false }).server.connect(ours)
  await local.connect(theirs)
  clients = { hosted: await world.connect(callerOf(account)), local }
})
afterAll(async () => {
  await world?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const takes = ({ inputSchema }: Tool, field: string): boolean =>
  Object.hasOwn(inputSchema.properties ?? {}, field)

const scopeOf = ({ name }: Tool) => tools.find(({ definition }) => definition.name === name)?.scope

/** Those that go to addresses that somebody gives. */
const FETCHING: ReadonlyArray<string> = ["transcribe", "list_podcast_episodes", "transcribe_podcast_feed"]

/** Of those that change something: what they end does not come back, and a repeat changes nothing more. */
const ENDING: ReadonlyArray<string> = ["cancel_transcription", "publish_transcript"]

for (const mode of ["hosted", "local"] as const) {
  describe(`the annotations of a ${mode} server`, () => {
    it("are true of every tool", async () => {
      const listed = (await clients[mode].listTools()).tools
      assert.strictEqual(listed.length, tools.length)
      for (const tool of listed) {
        const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {}
        const changes = scopeOf(tool) === "transcriptions:write"
        const writesFiles = mode === "local" && takes(tool, "save_to")
        const isReading = !changes && !writesFiles
        assert.strictEqual(readOnlyHint, isReading, tool.name)
        assert.strictEqual(openWorldHint, FETCHING.includes(tool.name), tool.name)
        assert.strictEqual(idempotentHint, isReading || ENDING.includes(tool.name), tool.name)
        if (!isReading) assert.strictEqual(destructiveHint, ENDING.includes(tool.name), tool.name)
      }
    })
  })
}

describe("a tool that says it only reads", () => {
  it("writes no file, and the one that writes says so", async () => {
    const call = await caller(clients.local)
    const { data } = await call("transcribe", { url: "https://a.example/talk.mp3?seconds=60" })
    const id = textAt(data, "id")
    const before = readdirSync(folder)
    for (const { name, annotations, inputSchema } of (await clients.local.listTools()).tools) {
      if (annotations?.readOnlyHint !== true) continue
      const known: Readonly<Record<string, unknown>> = {
        id,
        query: "winter",
        question: "winter?",
        feed: "https://a.example/feed?episodes=2",
      }
      const given = Object.fromEntries((inputSchema.required ?? []).map((field) => [field, known[field]]))
      assert.isFalse((await call(name, given)).isError, name)
    }
    assert.deepStrictEqual(readdirSync(folder), before)
    assert.isFalse((await call("export_transcript", { id, save_to: "talk.srt" })).isError)
    assert.deepStrictEqual(readdirSync(folder), ["talk.srt"])
  })
})
