/** Names and addresses that somebody else makes up: as a Host, in what is stored, and in the headers of pages. */
import { request } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { question, REDIRECT, register, text, withToken } from "../../packages/http/test/agents/app.js"
import { makeBrowser } from "../../packages/http/test/agents/browser.js"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost({ facts: { proxies: 1 }, product: {}, metrics: "local" })
  key = (await host.newKey()).key
})
afterAll(() => host?.stop())

/** A request under another name, as a web page sends it whose site leads here. */
const under = (name: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request(`${host.base}${path}`, { headers: { ...headers, host: name } }, (answer) => {
      let body = ""
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk
      })
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, body }))
    })
    sent.once("error", reject)
    sent.end()
  })

const port = () => new URL(host.base).port

describe("a web page whose site leads to this machine", () => {
  it("reads no metrics", async () => {
    for (const name of [
      "evil.example",
      `evil.example:${port()}`,
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "[",
      "localhost@evil.example",
    ]) {
      const { status, body } = await under(name, "/metrics")
      assert.strictEqual(status, 404, name)
      assert.notInclude(body, "earmark_", name)
    }
    for (const name of [`127.0.0.1:${port()}`, "localhost:9", "localhost", `[::1]:${port()}`]) {
      assert.strictEqual((await under(name, "/metrics")).status, 200, name)
    }
  })

  it("reaches no tool, not even with a key", async () => {
    assert.strictEqual((await under("evil.example", "/api/mcp", withToken(key))).status, 403)
  })

  it("is in no address that the service gives", async () => {
    for (const path of [
      "/",
      "/docs",
      "/healthz",
      "/openapi.json",
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource/api/mcp",
    ]) {
      const { body } = await under("evil.example", path, { accept: "*/*" })
      assert.notInclude(body, "evil.example", path)
    }
  })
})

describe("the address of a webhook", () => {
  const send = (method: string, path: string, body: object) =>
    fetch(`${host.base}/api/v1/webhooks${path}`, {
      method,
      headers: { ...withToken(key), "content-type": "application/json" },
      body: JSON.stringify(body),
    })

  const GIVEN = "  https://receiver.example/\r\nho\tok?a=\u001b[31m\u202e&b=\u0000c\n ".replace("\u0000", "")

  it("is stored as it was understood, without line breaks and escapes", async () => {
    const made = await send("POST", "", { url: GIVEN.trim() })
    assert.strictEqual(made.status, 201, await made.clone().text())
    const { id, url } = Object(await made.json())
    assert.strictEqual(url, "https://receiver.example/hook?a=%1B[31m%E2%80%AE&b=c")
    const patched = await send("PATCH", `/${id}`, { url: "https://receiver.example/a\r\nb\u001b]0;x" })
    assert.strictEqual(Object(await patched.json()).url, "https://receiver.example/ab%1B]0;x")
    const listed = await fetch(`${host.base}/api/v1/webhooks`, { headers: withToken(key) })
    assert.notMatch(await listed.text(), /\\r|\\n|\\u001b/)
  })

  it("is not longer as it was understood than it may be", async () => {
    const refused = await send("POST", "", { url: `https://receiver.example/${"ü".repeat(1000)}` })
    assert.strictEqual(refused.status, 400)
  })
})

const HOSTS = [
  "a;sandbox",
  "a,b",
  "a;frame-ancestors",
  "a'unsafe-inline'",
  "*.app.example",
  "*",
  "a(b)",
  "a!b",
  "a$b",
]

describe("a redirect address", () => {
  it("whose host means something in a policy is not registered", async () => {
    for (const name of HOSTS) {
      const { status, body } = await register(host, { redirect_uris: [`https://${name}/callback`] })
      assert.strictEqual(status, 400, name)
      assert.strictEqual(body.error, "invalid_redirect_uri")
    }
  })

  it("is made of visible characters", async () => {
    for (const address of [
      "https://app.example/\r\ncallback",
      "https://app.example/\tx",
      " https://app.example/",
      "https://app.example/\u202e",
      "https://äpp.example/",
    ]) {
      assert.strictEqual(
        (await register(host, { redirect_uris: [address] })).status,
        400,
        JSON.stringify(address),
      )
    }
  })

  it("of a page is one source of its policy, whatever its path holds", async () => {
    const redirect_uris = ["https://app.example/a;b,c", REDIRECT]
    const client = text((await register(host, { redirect_uris })).body.client_id)
    const asked = question(host, client, { redirect_uri: redirect_uris[0] ?? "" })
    const { headers } = await makeBrowser().open(asked.address)
    const policy = headers.get("content-security-policy") ?? ""
    assert.include(policy, "form-action 'self' https://app.example;")
    assert.strictEqual(policy.split(";").length, 5)
  })
})

describe("the other addresses of an app", () => {
  it("hold no line breaks and escapes", async () => {
    for (const field of ["client_uri", "logo_uri", "policy_uri", "tos_uri"]) {
      const { status, body } = await register(host, { [field]: "https://app.example/\r\nx\u001b[31m" })
      assert.strictEqual(status, 400, field)
      assert.strictEqual(body.error, "invalid_client_metadata")
    }
    const scheme = await register(host, { logo_uri: "javascript:alert(1)" })
    assert.strictEqual(scheme.status, 400)
    assert.strictEqual((await register(host, { contacts: ["a\u001b[31m@app.example"] })).status, 400)
  })
})
