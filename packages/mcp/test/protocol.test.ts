import type { AccountId } from "@earmark/core/jobs"
import { makeChanges } from "@earmark/mcp"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect } from "effect"
import { at, caller, listAt, refusalOf, textAt } from "./calling.js"
import { callerOf, type Era, startWorld, type World } from "./world.js"

const DEAR = { feed: "https://a.example/feed?episodes=30&seconds=1190", episodes: "all" }
const ERAS: ReadonlyArray<Era> = ["legacy", "modern"]

const changes = makeChanges()
let world: World
let account: AccountId

beforeAll(async () => {
  world = await startWorld({ changes, resourceMetadataUrl: "https://a.example/metadata" })
  account = await world.newAccount()
})
afterAll(() => world?.stop())

const ADDRESS = "http://mcp.invalid/api/mcp"

const post = (body: object, headers: Readonly<Record<string, string>> = {}, who = callerOf(account)) =>
  world.connector.fetch(
    new Request(ADDRESS, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
    }),
    who,
  )

const initialize = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
}

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } }

/** A request of the modern protocol. */
const modern = async (
  method: string,
  params: Readonly<Record<string, unknown>>,
  capabilities: object = TASKS,
) => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  }
  const named = params.name ?? params.taskId
  const answer = await post(
    { method, params: { ...params, _meta } },
    {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
      ...(typeof named === "string" && { "Mcp-Name": named }),
    },
  )
  return JSON.parse(await answer.text())
}

describe("a session", () => {
  it("is found by nobody but the account that opened it", async () => {
    const opened = await post(initialize)
    const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" }
    await opened.text()
    const list = { method: "tools/list" }
    assert.strictEqual((await post(list, session)).status, 200)
    const other = callerOf(await world.newAccount())
    assert.strictEqual((await post(list, session, other)).status, 404)
    assert.strictEqual((await post(list, session, { ...callerOf(account), isTest: true })).status, 404)
    assert.strictEqual((await post(list, { "Mcp-Session-Id": "made-up" })).status, 404)
    assert.strictEqual((await post(list)).status, 400)
  })

  it("serves clients of the first SDK", async () => {
    const client = new FirstClient({ name: "first", version: "1" })
    const fetch = async (input: string | URL, init?: RequestInit) =>
      world.connector.fetch(new Request(input, init), callerOf(account))
    await client.connect(new FirstTransport(new URL(ADDRESS), { fetch }))
    assert.match(client.getInstructions() ?? "", /One credit/)
    const result = await client.callTool({ name: "get_credit_balance", arguments: {} })
    assert.isNumber(at(result.structuredContent, "balance"))
    // It holds what is structured to the schema of the tool, once it has read the list.
    await client.listTools()
    const refused = await client.callTool({ name: "get_transcription", arguments: { id: "tr_x" } })
    assert.isTrue(refused.isError)
    assert.strictEqual(at(refused._meta, "earmark/error", "code"), "not_found")
    await client.close()
  })
})

describe("a connector that is closed", () => {
  it.each(ERAS)("answers a call that waits with what there is: %s", async (era) => {
    // As in a host, whose layers are made where nothing is interrupted.
    const runtime = Effect.runSync(Effect.uninterruptible(Effect.runtime<never>()))
    const ending = await startWorld({ runtime })
    try {
      const client = await ending.connect(callerOf(await ending.newAccount()), { era })
      const call = await caller(client)
      // It is tried again, some seconds later.
      const url = "https://a.example/busy.mp3?broken=download_failed&transient"
      const { data } = await call("transcribe", { url, wait_seconds: 0 })
      const id = textAt(data, "id")
      const waiting = call("get_transcription", { id, view: "status", wait_seconds: 50 })
      await new Promise((resolve) => setTimeout(resolve, 200))
      const begun = performance.now()
      const [answer] = await Promise.all([waiting, ending.connector.close()])
      assert.isFalse(answer.isError)
      assert.strictEqual(at(answer.data, "status"), "queued")
      assert.isBelow(performance.now() - begun, 2000)
    } finally {
      await ending.stop()
    }
  })
})

describe("a body", () => {
  it("that is no JSON, or too large, is refused", async () => {
    const send = (body: string) =>
      world.connector.fetch(
        new Request(ADDRESS, { method: "POST", headers: { "Content-Type": "application/json" }, body }),
        callerOf(account),
      )
    assert.strictEqual((await send("{")).status, 400)
    assert.strictEqual((await send(`"${"x".repeat(5 * 1024 * 1024)}"`)).status, 413)
    for (const many of [
      `[${"{},".repeat(1_300_000)}{}]`,
      `${"[".repeat(2_000_000)}${"]".repeat(2_000_000)}`,
    ]) {
      const refused = await send(many)
      assert.strictEqual(refused.status, 413)
      assert.include(await refused.text(), "20000 values")
    }
  })
})

describe("an app that may too little", () => {
  it("is sent a challenge with all that the call needs", async () => {
    const who = { ...callerOf(account), scopes: ["transcriptions:read"] as const, canAskForScopes: true }
    const answer = await post(
      { method: "tools/call", params: { name: "transcribe", arguments: {} } },
      {},
      who,
    )
    assert.strictEqual(answer.status, 403)
    assert.strictEqual(
      answer.headers.get("www-authenticate"),
      'Bearer error="insufficient_scope", scope="transcriptions:write", resource_metadata="https://a.example/metadata"',
    )
  })
})

describe("consent to what costs much", () => {
  for (const era of ERAS) {
    it(`is asked of the person (${era})`, async () => {
      const client = await world.connect(callerOf(await world.newAccount()), {
        era,
        capabilities: { elicitation: { form: {} } },
      })
      let answers = 0
      client.setRequestHandler("elicitation/create", ({ params }) => {
        assert.include(params.message, "about 600 credits for 30 episodes")
        answers += 1
        return answers === 1 ? { action: "decline" } : { action: "accept", content: { start: true } }
      })
      const call = await caller(client)
      assert.strictEqual(refusalOf(await call("transcribe_podcast_feed", DEAR)).code, "cost_needs_consent")
      assert.strictEqual(listAt((await call("list_transcriptions")).data, "transcriptions").length, 0)
      const run = await call("transcribe_podcast_feed", DEAR)
      assert.strictEqual(run.data.total, 30)
      await call("cancel_transcription", { batch_id: run.data.batch_id })
    })
  }
})

describe("tasks", () => {
  const transcribe = (url: string) => modern("tools/call", { name: "transcribe", arguments: { url } })

  it("are views of jobs: followed to the answer of the tool", async () => {
    const made = await transcribe("https://a.example/task.mp3?seconds=130")
    assert.deepInclude(made.result, { resultType: "task", status: "working", pollIntervalMs: 2000 })
    const { taskId } = made.result
    let task = made.result
    while (task.status === "working") task = (await modern("tasks/get", { taskId })).result
    assert.deepInclude(task, { resultType: "complete", status: "completed", taskId })
    assert.strictEqual(textAt(task, "result", "structuredContent", "status"), "done")
    await modern("tasks/cancel", { taskId })
    assert.strictEqual((await modern("tasks/get", { taskId })).result.status, "completed")
  })

  it("of a feed run end when all its jobs have ended", async () => {
    const feed = "https://a.example/feed?episodes=3&seconds=90"
    const made = await modern("tools/call", {
      name: "transcribe_podcast_feed",
      arguments: { feed, episodes: "all" },
    })
    let task = made.result
    while (task.status === "working") task = (await modern("tasks/get", { taskId: task.taskId })).result
    assert.strictEqual(task.status, "completed")
    assert.strictEqual(at(task, "result", "structuredContent", "total"), 3)
  })

  it("need a client that follows them, and an id that is there", async () => {
    const { error } = await modern("tasks/get", { taskId: "tr_x" }, {})
    assert.strictEqual(error.code, -32021)
    assert.property(error.data.requiredCapabilities, "extensions")
    assert.strictEqual(
      (await modern("tasks/get", { taskId: "tr_01m7wyp1y2f0tjqr8yyb1x18kq" })).error.code,
      -32602,
    )
    assert.strictEqual((await modern("tasks/get", { taskId: "nonsense" })).error.code, -32602)
    assert.strictEqual((await modern("tasks/list", {})).error.code, -32601)
  })
})

describe("resources, prompts and completions", () => {
  it("read what tools read, in pages", async () => {
    const client = await world.connect(callerOf(account))
    const call = await caller(client)
    const made = await call("transcribe", {
      url: "https://a.example/long.mp3?seconds=3600",
      wait_seconds: 50,
    })
    const id = textAt(made.data, "id")
    const { resources } = await client.listResources()
    assert.include(
      resources.map(({ uri }) => uri),
      `transcription://${id}/text`,
    )
    let uri: string | undefined = `transcription://${id}/text`
    let text = ""
    while (uri !== undefined) {
      const { contents }: { contents: ReadonlyArray<{ uri: string; text?: string }> } =
        await client.readResource({ uri })
      text += contents[0]?.text ?? ""
      uri = contents[1]?.uri
    }
    const pages: Array<string> = []
    for (let cursor: unknown, first = true; first || cursor !== undefined; first = false) {
      const page = await call("get_transcription", { id, ...(cursor !== undefined && { cursor }) })
      pages.push(textAt(page.data, "text"))
      cursor = page.data.next_cursor
    }
    assert.strictEqual(text, pages.join(""))
    for (const part of ["", "/segments", "/export/srt", "/export/docx"]) {
      assert.isNotEmpty((await client.readResource({ uri: `transcription://${id}${part}` })).contents)
    }
    assert.isNotEmpty((await client.readResource({ uri: "account://credits" })).contents)
    const failures = [
      "transcription://tr_01m7wyp1y2f0tjqr8yyb1x18kq/text",
      "transcription://nope",
      "other://x",
    ].map((each) =>
      client.readResource({ uri: each }).then(
        () => assert.fail("it was read"),
        (error: unknown) => at(error, "code"),
      ),
    )
    assert.deepStrictEqual(await Promise.all(failures), [-32602, -32602, -32602])
    const refusalAt = (part: string) =>
      client
        .readResource({ uri: `transcription://${id}${part}` })
        .then(() => assert.fail("it was read"), String)
    assert.match(
      await refusalAt("/summary"),
      /The transcription has no summary yet\. Make one with the tool make_extras\.$/,
    )
    assert.match(
      await refusalAt("/export/exe"),
      /invalid_request: There is no format exe\. Use one of srt, vtt, [a-z_, ]+\.$/,
    )
    const { prompts } = await client.listPrompts()
    for (const { name, description, arguments: args = [] } of prompts) {
      assert.isNotEmpty(description)
      const given = Object.fromEntries(args.map((each) => [each.name, each.name === "language" ? "de" : id]))
      assert.isNotEmpty((await client.getPrompt({ name, arguments: given })).messages)
      const completed = await client.complete({
        ref: { type: "ref/prompt", name },
        argument: { name: args[0]?.name ?? "", value: name === "batch_digest" ? "" : id.slice(0, 20) },
      })
      if (name !== "batch_digest") assert.include(completed.completion.values, id)
    }
  })

  for (const era of ERAS) {
    it(`tell of changes, to their own account alone (${era})`, async () => {
      const client = await world.connect(callerOf(account), { era })
      const heard: Array<string> = []
      const first = new Promise<void>((resolve) => {
        client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
          heard.push(params.uri)
          resolve()
        })
      })
      const uri = "transcription://tr_1/text"
      if (era === "legacy") await client.subscribeResource({ uri })
      else await client.listen({ resourceSubscriptions: [uri] })
      const other = await world.newAccount()
      changes.tell({ account: other, id: "tr_1", kind: "updated" })
      changes.tell({ account, id: "tr_1", kind: "updated" })
      await first
      assert.deepStrictEqual(heard, [uri])
      await client.close()
    })
  }
})
