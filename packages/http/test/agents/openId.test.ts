/** Clients of OpenID Connect, in the steps that openid-client and oauth4webapi take: `openid` is asked for and not given. */
import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { exchange, post, question, REDIRECT, readJson, register, rpc, text, withToken } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

const EVERYDAY = "transcriptions:read transcriptions:write billing:read"

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost()
  key = (await host.newKey()).key
})

afterAll(() => host.stop())

/** From the question to the answer of the token endpoint, and a tool with it. */
const signIn = async (client: string, given: Record<string, string | null>) => {
  const asking = question(host, client, given)
  const answer = await makeBrowser().allow(asking.address, key)
  assert.strictEqual(answer.searchParams.get("iss"), host.base)
  assert.isNull(answer.searchParams.get("error"), answer.href)
  const { body, status } = await post(host, "/oauth/token", exchange(asking, answer))
  assert.strictEqual(status, 200, JSON.stringify(body))
  assert.strictEqual((await rpc(host, withToken(text(body.access_token)))).status, 200)
  return body
}

const newClient = async () => {
  const metadata = { token_endpoint_auth_method: "none", application_type: "web" }
  return text((await register(host, metadata)).body.client_id)
}

describe("a client of OpenID Connect", () => {
  it("is offered no scope that it is not given", async () => {
    for (const name of ["openid-configuration", "oauth-authorization-server"]) {
      const { body } = await readJson(`${host.base}/.well-known/${name}`)
      assert.strictEqual(body.issuer, host.base)
      assert.deepStrictEqual(body.scopes_supported, EVERYDAY.split(" "))
    }
  })

  it("gets through with openid among its scopes, with a nonce and without", async () => {
    for (const extras of [{}, { nonce: randomBytes(16).toString("base64url") }, { prompt: "consent" }]) {
      const client = await newClient()
      const body = await signIn(client, { scope: "openid transcriptions:read offline_access", ...extras })
      assert.strictEqual(body.scope, "transcriptions:read")
      assert.notProperty(body, "id_token")
      const refresh_token = text(body.refresh_token)
      const fields = { grant_type: "refresh_token", client_id: client, refresh_token }
      const { status, body: refreshed } = await post(host, "/oauth/token", fields)
      assert.strictEqual(status, 200, JSON.stringify(refreshed))
      assert.notProperty(refreshed, "id_token")
    }
  })

  it("is given the everyday scopes when it names none but those of OpenID Connect", async () => {
    for (const scope of ["openid", "openid offline_access", " "]) {
      assert.strictEqual((await signIn(await newClient(), { scope })).scope, EVERYDAY)
    }
  })

  it("gets through with a pushed request", async () => {
    const client = await newClient()
    const asking = question(host, client, { scope: "openid" })
    const parameters = Object.fromEntries(new URL(asking.address).searchParams)
    const pushed = await post(host, "/oauth/par", parameters)
    assert.strictEqual(pushed.status, 201, JSON.stringify(pushed.body))
    const named = new URLSearchParams({ client_id: client, request_uri: text(pushed.body.request_uri) })
    const answer = await makeBrowser().allow(`${host.base}/oauth/authorize?${named}`, key)
    assert.strictEqual(answer.origin + answer.pathname, REDIRECT)
    const { body } = await post(host, "/oauth/token", exchange(asking, answer))
    assert.strictEqual(body.scope, EVERYDAY)
  })

  it("is asked about once when it is a website, and let in without a page the next time", async () => {
    const redirect = "https://site.example/callback"
    const metadata = { redirect_uris: [redirect], token_endpoint_auth_method: undefined }
    const client = text((await register(host, metadata)).body.client_id)
    const browser = makeBrowser()
    const asking = () =>
      question(host, client, { scope: "openid transcriptions:read", redirect_uri: redirect }).address
    const first = await browser.allow(asking(), key)
    assert.isString(first.searchParams.get("code"), first.href)
    const second = await browser.open(asking())
    assert.strictEqual(second.status, 0, second.html)
    assert.isString(new URL(second.address).searchParams.get("code"))
  })
})
