import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  connect,
  exchange,
  post,
  question,
  REDIRECT,
  register,
  rpc,
  text,
  withToken,
} from "../../packages/http/test/agents/app.js"
import { makeBrowser } from "../../packages/http/test/agents/browser.js"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost({ facts: { proxies: 1 } })
  key = (await host.newKey()).key
})

afterAll(() => host.stop())

const statusOf = async (token: string) => (await rpc(host, withToken(token))).status

const refresh = (client: string, token: string) =>
  post(host, "/oauth/token", { grant_type: "refresh_token", client_id: client, refresh_token: token })

const newClient = async (metadata: object = {}) => text((await register(host, metadata)).body.client_id)

/** A person who allows what an app asks for: what was asked, and the answer with its code. */
const allowed = async (client: string) => {
  const asking = question(host, client)
  return { asking, answer: await makeBrowser().allow(asking.address, key) }
}

describe("a code", () => {
  it("is refused without a proof of the code, for another resource, and with a method that is weaker", async () => {
    const client = text((await register(host)).body.client_id)
    const browser = makeBrowser()
    const errorOf = async (given: Record<string, string | null>) => {
      const shown = await browser.open(question(host, client, given).address)
      return new URL(shown.address).searchParams.get("error")
    }
    assert.strictEqual(await errorOf({ code_challenge: null }), "invalid_request")
    assert.strictEqual(await errorOf({ code_challenge_method: "plain" }), "invalid_request")
    assert.strictEqual(await errorOf({ code_challenge_method: null }), "invalid_request")
    assert.strictEqual(await errorOf({ resource: "https://other.example/mcp" }), "invalid_target")
    const asking = question(host, client)
    const answer = await browser.allow(asking.address, key)
    const wrong = { ...exchange(asking, answer), code_verifier: "x".repeat(43) }
    assert.strictEqual((await post(host, "/oauth/token", wrong)).body.error, "invalid_grant")
  })

  it("is good for the client, the address and the verifier that it was made for, in every other mixture for nothing", async () => {
    const client = await newClient()
    const other = await newClient()
    for (const changed of [
      { code_verifier: "" },
      { code_verifier: "short" },
      { client_id: other },
      { client_id: "unknown" },
      { redirect_uri: "http://127.0.0.1:9999/other" },
      { redirect_uri: "https://evil.example/" },
      { redirect_uri: "" },
      { resource: "https://other.example/mcp" },
      { grant_type: "password" },
      { grant_type: "client_credentials" },
    ]) {
      const { asking, answer } = await allowed(client)
      const { status, body } = await post(host, "/oauth/token", { ...exchange(asking, answer), ...changed })
      assert.include([400, 401], status, JSON.stringify(changed))
      assert.notProperty(body, "access_token", JSON.stringify(changed))
    }
    const { asking, answer } = await allowed(client)
    const { code_verifier: _, ...without } = exchange(asking, answer)
    assert.strictEqual((await post(host, "/oauth/token", without)).body.error, "invalid_grant")
  })

  it("of one person's browser does not connect another's app", async () => {
    const mine = await allowed(await newClient())
    const theirs = await allowed(await newClient())
    const mixed = exchange(mine.asking, theirs.answer)
    assert.strictEqual((await post(host, "/oauth/token", mixed)).body.error, "invalid_grant")
    // Who asked is told by the issuer, so that an answer of another server is not taken for one of this.
    assert.strictEqual(mine.answer.searchParams.get("iss"), host.base)
  })

  it("goes nowhere but to the address in full, and not by another flow", async () => {
    const client = await newClient()
    for (const given of [
      { response_mode: "web_message" },
      { response_type: "token" },
      { response_type: "code token" },
      { response_type: "id_token" },
      { response_type: "none" },
    ]) {
      const shown = await makeBrowser().open(question(host, client, given).address)
      assert.notInclude(shown.html, 'name="api_key"', JSON.stringify(given))
      if (shown.status !== 0) continue
      const answer = new URL(shown.address)
      assert.strictEqual(answer.origin + answer.pathname, REDIRECT)
      assert.isNull(answer.searchParams.get("code"))
      assert.isNotNull(new URLSearchParams(answer.search || answer.hash.slice(1)).get("error"))
    }
    const twice = `${question(host, client).address}&redirect_uri=${encodeURIComponent("https://evil.example/")}`
    const answer = await makeBrowser().ask(twice)
    assert.notInclude(answer.headers.get("location") ?? "", "evil.example")
    const shown = await makeBrowser().open(twice)
    assert.notInclude(shown.html, 'name="api_key"')
  })

  it("lead nowhere when they are not, letter by letter, one that was registered", async () => {
    const registered = "https://app.example/callback"
    const client = text((await register(host, { redirect_uris: [registered] })).body.client_id)
    for (const address of [
      `${registered}/`,
      `${registered}?x=1`,
      `${registered}#x`,
      "https://app.example/Callback",
      "https://app.example/callback/../x",
      "https://app.example/callback%2f..",
      "https://app.example:444/callback",
      "http://app.example/callback",
      "https://evil.example/callback",
      "https://app.example.evil.example/callback",
      "https://app.example@evil.example/callback",
      "https://sub.app.example/callback",
      "//app.example/callback",
      "",
    ]) {
      const answer = await makeBrowser().ask(question(host, client, { redirect_uri: address }).address)
      assert.strictEqual(answer.status, 400, address)
      assert.isNull(answer.headers.get("location"), address)
      assert.notInclude(await answer.text(), "evil.example")
    }
  })
})

describe("codes", () => {
  it("of any number of racing exchanges exactly one is served", async () => {
    const client = text((await register(host)).body.client_id)
    const asking = question(host, client)
    const answer = await makeBrowser().allow(asking.address, key)
    const told = await Promise.all(
      Array.from({ length: 8 }, () => post(host, "/oauth/token", exchange(asking, answer))),
    )
    assert.strictEqual(told.filter(({ status }) => status === 200).length, 1)
    for (const { status, body } of told) if (status !== 200) assert.strictEqual(body.error, "invalid_grant")
  })

  it("that come a second time take with them what came of the first", async () => {
    const client = text((await register(host)).body.client_id)
    const asking = question(host, client)
    const answer = await makeBrowser().allow(asking.address, key)
    const first = await post(host, "/oauth/token", exchange(asking, answer))
    assert.strictEqual(await statusOf(text(first.body.access_token)), 200)
    const second = await post(host, "/oauth/token", exchange(asking, answer))
    assert.strictEqual(second.body.error, "invalid_grant")
    assert.strictEqual(await statusOf(text(first.body.access_token)), 401)
    assert.strictEqual((await refresh(client, text(first.body.refresh_token))).status, 400)
  })
})

describe("refresh tokens", () => {
  it("that come again after ten seconds end everything: somebody has stolen one", async () => {
    const { client, access, refresh: token } = await connect(host, key)
    const { body } = await refresh(client, token)
    host.advance(11)
    assert.strictEqual((await refresh(client, token)).body.error, "invalid_grant")
    assert.strictEqual(await statusOf(access), 401)
    assert.strictEqual(await statusOf(text(body.access_token)), 401)
    assert.strictEqual((await refresh(client, text(body.refresh_token))).body.error, "invalid_grant")
  })
})

describe("the pages", () => {
  const open = async (metadata: object = {}) => {
    const client = text((await register(host, metadata)).body.client_id)
    const browser = makeBrowser()
    return { browser, shown: await browser.open(question(host, client).address) }
  }

  it("show what an app calls itself as text, and allow nothing but their own form", async () => {
    const { browser, shown } = await open({ client_name: `<img src=x onerror="alert(1)">` })
    const consent = await browser.send(shown, "sign_in", { api_key: key })
    for (const { html, headers } of [shown, consent]) {
      assert.notInclude(html, "<img")
      assert.include(html, "&lt;img src=x")
      const policy = headers.get("content-security-policy") ?? ""
      assert.include(policy, "default-src 'none'")
      assert.include(policy, "form-action 'self' http://127.0.0.1:9999")
      assert.include(policy, "frame-ancestors 'none'")
      assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(headers.get("cache-control"), "no-store")
    }
    assert.include(consent.html, "this computer (127.0.0.1:9999)")
    assert.include(consent.html, "Anybody can use this name")
    assert.include(consent.html, "Ann")
  })

  it("take no form without their token, from another browser, or from another site", async () => {
    const { browser, shown } = await open()
    const form = (body: URLSearchParams, headers = {}, from = browser) =>
      from.ask(shown.address, {
        method: "POST",
        body,
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      })
    const csrf = /name="csrf" value="([^"]+)"/.exec(shown.html)?.[1] ?? ""
    const fields = { action: "sign_in", api_key: key }
    const good = () => new URLSearchParams({ ...fields, csrf })
    assert.strictEqual((await form(new URLSearchParams(fields))).status, 400)
    assert.strictEqual((await form(new URLSearchParams({ ...fields, csrf: "x".repeat(43) }))).status, 400)
    assert.strictEqual((await form(good(), {}, makeBrowser())).status, 400)
    assert.strictEqual((await form(good(), { origin: "https://evil.example" })).status, 400)
    assert.strictEqual((await form(good(), { "sec-fetch-site": "cross-site" })).status, 400)
    assert.strictEqual((await form(good())).status, 303)
  })

  it("say that a key is wrong without repeating it, and take none from the address", async () => {
    const { browser, shown } = await open()
    const wrong = await browser.send(shown, "sign_in", { api_key: "em_live_wrong" })
    assert.strictEqual(wrong.status, 400)
    assert.include(wrong.html, "API key is not valid")
    assert.notInclude(wrong.html, "em_live_wrong")
    const asked = await browser.open(`${shown.address}?api_key=${key}&action=sign_in`)
    assert.include(asked.html, 'name="api_key"')
    const answered = await browser.ask(`${shown.address}/answer?api_key=${key}`)
    assert.strictEqual(answered.status, 200)
    assert.include(await answered.text(), 'name="api_key"')
  })

  it("let somebody else sign in instead", async () => {
    const { browser, shown } = await open()
    const consent = await browser.send(shown, "sign_in", { api_key: key })
    const again = await browser.send(consent, "switch")
    assert.include(again.html, 'name="api_key"')
    const other = await host.newKey()
    const second = await browser.send(again, "sign_in", { api_key: other.key })
    const end = await browser.send(second, "allow")
    assert.isNotNull(new URL(end.address).searchParams.get("code"))
  })
})
