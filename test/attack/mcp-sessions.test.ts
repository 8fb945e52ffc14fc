/** What a key or a token can do in a conversation that another one opened: no more than by itself, and nothing once it is revoked. */
import type { AccountId } from "@earmark/core/jobs"
import type { Scope } from "@earmark/core/wire"
import { Keys } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, rpc, withToken } from "../../packages/http/test/agents/app.js"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"

let host: Host
let account: AccountId
let full: string

beforeAll(async () => {
  host = await startHost({ product: {}, hearsFor: 200 })
  const made = await host.newKey()
  account = made.account
  full = made.key
})
afterAll(() => host?.stop())

/** One more key of the account. */
const newKey = (scopes?: readonly [Scope, ...ReadonlyArray<Scope>], mode: "live" | "test" = "live") =>
  host.run(Effect.flatMap(Keys, (keys) => keys.create(account, { name: "k", scopes }, mode)))

const revoke = ({ id }: { readonly id: string }) =>
  host.run(Effect.flatMap(Keys, (keys) => keys.revoke(account, id)))

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-06-18",
}

const post = (key: string, message: object, session?: string) =>
  fetch(host.mcp, {
    method: "POST",
    headers: { ...HEADERS, ...withToken(key), ...(session !== undefined && { "mcp-session-id": session }) },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  })

const openSession = async (key: string): Promise<string> => {
  const clientInfo = { name: "test", version: "1" }
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }
  const begun = await post(key, { id: 1, method: "initialize", params })
  await begun.text()
  const session = begun.headers.get("mcp-session-id") ?? assert.fail("no session")
  await (await post(key, { method: "notifications/initialized" }, session)).text()
  return session
}

const ask = async (key: string, session: string, method: string, params: object) => {
  const answer = await post(key, { id: 2, method, params }, session)
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

const call = (key: string, session: string, name: string, args: object = {}) =>
  ask(key, session, "tools/call", { name, arguments: args })

const UPLOAD = { filename: "talk.mp3", bytes: 4 }

describe("a key in a session that a key with more scopes opened", () => {
  it("gets no upload address, no work and no balance, and reads what it may read", async () => {
    const reader = (await newKey(["transcriptions:read"])).key
    const session = await openSession(full)
    for (const [name, args] of [
      ["upload_file", UPLOAD],
      ["transcribe", { url: "https://a.example/talk.mp3?seconds=60" }],
      ["transcribe_podcast_feed", { feed: "https://a.example/feed?episodes=2" }],
      ["cancel_transcription", { id: "tr_00000000000000000000" }],
      ["get_credit_balance", {}],
    ] as const) {
      const { text } = await call(reader, session, name, args)
      assert.include(text, "insufficient_scope", name)
      assert.notInclude(text, "upload_url")
    }
    const balance = await ask(reader, session, "resources/read", { uri: "account://credits" })
    assert.include(balance.text, "insufficient_scope")
    assert.notInclude((await call(reader, session, "list_transcriptions")).text, "insufficient_scope")
    assert.include((await call(full, session, "upload_file", UPLOAD)).text, "upload_url")
  })

  it("gets nothing more after that key was revoked, which itself gets nothing at all", async () => {
    const [opener, reader] = [await newKey(), await newKey(["transcriptions:read"])]
    const session = await openSession(opener.key)
    await revoke(opener)
    assert.include((await call(reader.key, session, "upload_file", UPLOAD)).text, "insufficient_scope")
    assert.include((await call(reader.key, session, "get_credit_balance")).text, "insufficient_scope")
    assert.strictEqual((await call(opener.key, session, "list_transcriptions")).status, 401)
    assert.strictEqual((await call(reader.key, session, "list_transcriptions")).status, 200)
  })

  it("and with more scopes than the opener, may do what it may do", async () => {
    const session = await openSession((await newKey(["transcriptions:read"])).key)
    assert.include((await call(full, session, "get_credit_balance")).text, "balance")
  })

  it("is asked for more where it is the token of an app", async () => {
    const { access } = await connect(host, full, { scope: "transcriptions:read" })
    const session = await openSession(full)
    const refused = await call(access, session, "upload_file", UPLOAD)
    assert.strictEqual(refused.status, 403)
    assert.include(refused.headers.get("www-authenticate") ?? "", "transcriptions:write")
  })
})

describe("a session", () => {
  it("is not there for another account, nor for a test key of the same one", async () => {
    const session = await openSession(full)
    for (const { key } of [await host.newKey(), await newKey(undefined, "test")]) {
      assert.strictEqual((await call(key, session, "list_transcriptions")).status, 404)
      const ended = await fetch(host.mcp, {
        method: "DELETE",
        headers: { ...HEADERS, ...withToken(key), "mcp-session-id": session },
      })
      assert.strictEqual(ended.status, 404)
    }
    assert.strictEqual((await call(full, session, "list_transcriptions")).status, 200)
  })
})

describe("changes of resources", () => {
  it("are told to nobody who may not read them", async () => {
    const writer = (await newKey(["transcriptions:write"])).key
    const reader = (await newKey(["transcriptions:read"])).key
    const session = await openSession(writer)
    const credits = { uri: "account://credits" }
    assert.strictEqual((await ask(writer, session, "resources/subscribe", credits)).status, 403)
    assert.strictEqual((await ask(reader, session, "resources/subscribe", credits)).status, 403)
    const listen = (key: string, notifications: object) =>
      rpc(host, withToken(key), "subscriptions/listen", { notifications })
    assert.strictEqual((await listen(writer, { resourcesListChanged: true })).status, 403)
    assert.strictEqual((await listen(reader, { resourceSubscriptions: [credits.uri] })).status, 403)
  })

  it("are not told on the stream of a key that may not read, whatever another one has subscribed to", async () => {
    const writer = (await newKey(["transcriptions:write"])).key
    const session = await openSession(full)
    assert.strictEqual(
      (await ask(full, session, "resources/subscribe", { uri: "account://credits" })).status,
      200,
    )
    const stream = await openStream(writer, { "mcp-session-id": session })
    const both = await openStream(full, { "mcp-session-id": await openSession(full) })
    await call(full, session, "transcribe", { url: "https://a.example/told.mp3?seconds=60", wait_seconds: 0 })
    await both.until(/list_changed/)
    assert.notMatch(stream.text(), /list_changed|updated/)
    stream.leave()
    both.leave()
  })
})

/** A stream of server-sent events. */
const openStream = async (key: string, headers: Record<string, string>, body?: object) => {
  const controller = new AbortController()
  const answer = await fetch(host.mcp, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...HEADERS, ...withToken(key), ...headers },
    signal: controller.signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.strictEqual(answer.status, 200)
  let text = ""
  let look = () => {}
  const ended = (async () => {
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      look()
    }
  })().catch(() => {})
  return {
    text: () => text,
    ended,
    until: (pattern: RegExp) =>
      new Promise<void>((resolve) => {
        look = () => {
          if (pattern.test(text)) resolve()
        }
        look()
      }),
    leave: () => controller.abort(),
  }
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
}

describe("a request that is under way when its key is revoked", () => {
  it("ends: streams of both kinds of protocol, and calls that wait", async () => {
    const [opener, waiter] = [await newKey(), await newKey()]
    const session = await openSession(opener.key)
    const old = await openStream(opener.key, { "mcp-session-id": session })
    const params = { notifications: { resourcesListChanged: true }, _meta: META }
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" }
    const message = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }
    const modern = await openStream(opener.key, headers, message)
    const made = await rpc(host, withToken((await newKey(undefined, "test")).key), "tools/call", {
      name: "transcribe",
      arguments: { url: "https://a.example/long.mp3?seconds=7000", wait_seconds: 0 },
    })
    const id = /tr_[a-z0-9]{20}/.exec(await made.text())?.[0]
    const waiting = rpc(host, withToken(waiter.key), "tools/call", {
      name: "get_transcription",
      arguments: { id, wait_seconds: 50 },
    })
    await revoke(opener)
    await revoke(waiter)
    const began = performance.now()
    await Promise.all([old.ended, modern.ended])
    assert.strictEqual((await waiting).status, 401)
    assert.isBelow(performance.now() - began, 20_000)
    // The session is still there for those who may use it.
    assert.strictEqual((await call(full, session, "list_transcriptions")).status, 200)
  }, 60_000)
})
