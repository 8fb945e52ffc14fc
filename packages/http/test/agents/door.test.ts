import { createHash, randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose"
import { connect, exchange, post, question, REDIRECT, register, rpc, text, withToken } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

const PAGE = "https://pages.example"

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost({
    facts: { corsOrigins: [PAGE], proxies: 1, registrations: { limit: 5, windowSeconds: 3600, burst: 5 } },
  })
  key = (await host.newKey()).key
})

afterAll(() => host.stop())

describe("the connector", () => {
  it("refuses pages of other sites, whatever they bring", async () => {
    const { access } = await connect(host, key)
    for (const credentials of [withToken(access), withToken(key)]) {
      const foreign = await rpc(host, { ...credentials, origin: "https://evil.example" })
      assert.strictEqual(foreign.status, 403)
      assert.isNull(foreign.headers.get("access-control-allow-origin"))
      const listed = await rpc(host, { ...credentials, origin: PAGE })
      assert.strictEqual(listed.status, 200)
      assert.strictEqual(listed.headers.get("access-control-allow-origin"), PAGE)
      assert.include(listed.headers.get("access-control-expose-headers") ?? "", "WWW-Authenticate")
      assert.strictEqual((await rpc(host, { ...credentials, origin: host.base })).status, 200)
    }
  })

  it("answers preflights of listed pages, and gives others nothing", async () => {
    const ask = (origin: string) =>
      fetch(host.mcp, { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } })
    const [listed, foreign] = [await ask(PAGE), await ask("https://evil.example")]
    assert.strictEqual(listed.headers.get("access-control-allow-origin"), PAGE)
    assert.include(listed.headers.get("access-control-allow-headers") ?? "", "Mcp-Session-Id")
    assert.isNull(foreign.headers.get("access-control-allow-origin"))
  })

  it("takes API keys, and tells two accounts apart", async () => {
    const [first, second] = [await host.newKey(), await host.newKey({ test: true })]
    const tokens = [await connect(host, first.key), await connect(host, second.key)]
    for (const [index, { account }] of [first, second].entries()) {
      await rpc(host, withToken(tokens[index]?.access ?? ""))
      assert.strictEqual(host.callers.at(-1)?.account, account)
      assert.strictEqual(host.callers.at(-1)?.isTest, index === 1)
    }
    await rpc(host, withToken(second.key))
    assert.isTrue(host.callers.at(-1)?.isTest)
    assert.isNotNull(host.callers.at(-1)?.key)
  })

  it("does not read more than 4 MiB", async () => {
    const body = `"${"x".repeat(4 * 1024 * 1024)}"`
    const headers = { ...withToken(key), "content-type": "application/json" }
    const answer = await fetch(host.mcp, { method: "POST", headers, body }).catch(() => null)
    assert.oneOf(answer?.status ?? 413, [413])
  })

  it("gives an app no more than the key that let it in", async () => {
    const small = await host.newKey({ scopes: ["transcriptions:read", "webhooks"] })
    const tokens = await connect(host, small.key, { scope: "transcriptions:read transcriptions:write" })
    assert.strictEqual(tokens.scope, "transcriptions:read")
    const none = await host.newKey({ scopes: ["webhooks"] })
    const client = text((await register(host)).body.client_id)
    const browser = makeBrowser()
    const shown = await browser.open(question(host, client).address)
    const refused = await browser.send(shown, "sign_in", { api_key: none.key })
    assert.strictEqual(refused.status, 400)
    assert.include(refused.html, "allowed nothing")
  })

  it("calls for an app with the key that let it in, so that its jobs count towards the limit of that key", async () => {
    const keys = [
      await host.newKey(),
      await host.newKey({ test: true }),
      await host.newKey({ scopes: ["transcriptions:read", "webhooks"] }),
    ]
    for (const made of keys) {
      assert.strictEqual((await rpc(host, withToken(made.key))).status, 200)
      const own = host.callers.at(-1)
      const tokens = await connect(host, made.key)
      assert.strictEqual((await rpc(host, withToken(tokens.access))).status, 200)
      const app = host.callers.at(-1)
      assert.isTrue(app?.canAskForScopes)
      assert.match(`${app?.key}`, /^key_/)
      assert.deepStrictEqual([app?.key, app?.account, app?.isTest], [own?.key, made.account, own?.isTest])
    }
  })

  it("takes a token that is bound to a key with a proof, once for each, and never without", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256")
    const jwk = await exportJWK(publicKey)
    const proof = (method: string, address: string, token?: string) =>
      new SignJWT({
        htm: method,
        htu: address,
        jti: randomUUID(),
        ...(token !== undefined && { ath: createHash("sha256").update(token).digest("base64url") }),
      })
        .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
        .setIssuedAt()
        .sign(privateKey)
    const client = text((await register(host)).body.client_id)
    const asking = question(host, client)
    const answer = await makeBrowser().allow(asking.address, key)
    const made = await post(host, "/oauth/token", exchange(asking, answer), {
      dpop: await proof("POST", `${host.base}/oauth/token`),
    })
    assert.strictEqual(made.body.token_type, "DPoP", JSON.stringify(made.body))
    const token = text(made.body.access_token)
    const good = { authorization: `DPoP ${token}`, dpop: await proof("POST", host.mcp, token) }
    assert.strictEqual((await rpc(host, good)).status, 200)
    assert.strictEqual((await rpc(host, good)).status, 401)
    assert.strictEqual((await rpc(host, withToken(token))).status, 401)
    const other = { ...good, dpop: await proof("POST", `${host.base}/other`, token) }
    assert.strictEqual((await rpc(host, other)).status, 401)
    assert.strictEqual(await calculateJwkThumbprint(jwk).then((print) => print.length), 43)
  })
})

describe("registration", () => {
  it("refuses addresses that no answer should go to", async () => {
    for (const address of [
      "http://app.example/callback",
      "https://app.example/callback#part",
      "javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "https://user:pass@app.example/",
      "not an address",
      "",
      5,
    ]) {
      const { status, body } = await register(host, { redirect_uris: [address] })
      assert.strictEqual(status, 400, String(address))
      assert.strictEqual(body.error, "invalid_redirect_uri", String(address))
    }
    const many = Array.from({ length: 11 }, (_, number) => `https://app.example/${number}`)
    assert.strictEqual((await register(host, { redirect_uris: many })).status, 400)
    assert.strictEqual((await register(host, { redirect_uris: [] })).status, 400)
    assert.strictEqual((await register(host, { client_name: "x".repeat(101) })).status, 400)
    assert.strictEqual((await register(host, { client_name: "a\u202eb" })).status, 400)
  })

  it("takes programs with a scheme of their own, on loopback, and websites", async () => {
    for (const address of [
      "cursor://anysphere/callback",
      "http://localhost:3000/",
      "https://app.example/x",
    ]) {
      const { status, body } = await register(host, { redirect_uris: [address] })
      assert.strictEqual(status, 201, `${address} ${JSON.stringify(body)}`)
      assert.notProperty(body, "registration_access_token")
    }
  })

  it("is open as often as the settings say from one address, as the proxy has seen it", async () => {
    const from = (address: string) =>
      fetch(`${host.base}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `${randomUUID()}, ${address}` },
        body: JSON.stringify({ redirect_uris: [REDIRECT] }),
      })
    const told = await Promise.all(Array.from({ length: 7 }, () => from("203.0.113.7")))
    assert.strictEqual(told.filter(({ status }) => status === 201).length, 5)
    const refused = told.find(({ status }) => status === 429)
    assert.isAbove(Number(refused?.headers.get("retry-after")), 600)
    assert.strictEqual((await from("203.0.113.8")).status, 201)
  })
})
