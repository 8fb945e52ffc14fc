/** Programs that come as they are: on a port of the moment, and with metadata written for other servers. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { exchange, post, question, REDIRECT, register, rpc, text, withToken } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost()
  key = (await host.newKey()).key
})

afterAll(() => host.stop())

/** From the question to a tool, with a redirect address of the program's choice; the status of the tool. */
const call = async (client: string, redirect: string) => {
  const asking = question(host, client, { redirect_uri: redirect })
  const answer = await makeBrowser().allow(asking.address, key)
  assert.strictEqual(answer.origin + answer.pathname, redirect)
  const fields = { ...exchange(asking, answer), redirect_uri: redirect }
  const { body } = await post(host, "/oauth/token", fields)
  return (await rpc(host, withToken(text(body.access_token)))).status
}

const LOOPBACK = ["http://localhost/callback", "http://127.0.0.1/callback", "http://[::1]/callback"]

describe("a program on this computer", () => {
  it("answers on any port when it registered itself, whatever it calls itself", async () => {
    for (const named of [{}, { application_type: "web" }, { application_type: "native" }]) {
      const redirects = [...LOOPBACK, "https://editor.example/redirect"]
      const metadata = { redirect_uris: redirects, ...named }
      const { body } = await register(host, metadata)
      assert.strictEqual(body.application_type, "native")
      const client = text(body.client_id)
      assert.strictEqual(await call(client, "http://localhost:51234/callback"), 200)
      assert.strictEqual(await call(client, "https://editor.example/redirect"), 200)
    }
  })

  it("answers on any port when its document names it", async () => {
    const document = "https://program.example/client-metadata"
    const body = {
      client_id: document,
      client_name: "Program",
      redirect_uris: LOOPBACK,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    }
    host.web.set(document, { body })
    for (const redirect of LOOPBACK.map((address) => address.replace("/callback", ":51234/callback"))) {
      assert.strictEqual(await call(document, redirect), 200)
    }
  })

  it("answers nowhere else, and a website on its own port only", async () => {
    const local = await register(host, { redirect_uris: ["http://localhost/callback"] })
    const site = await register(host, { redirect_uris: ["https://app.example/callback"] })
    assert.strictEqual(site.body.application_type, "web")
    const elsewhere = [
      [local, "http://localhost:51234/other"],
      [local, "http://127.0.0.1:51234/callback"],
      [local, "https://localhost:51234/callback"],
      [local, "http://localhost.evil.example:51234/callback"],
      [local, "http://user@localhost:51234/callback"],
      [local, "http://localhost:51234/callback?x=1"],
      [site, "https://app.example:51234/callback"],
    ] as const
    for (const [{ body }, redirect] of elsewhere) {
      const asked = question(host, text(body.client_id), { redirect_uri: redirect })
      const shown = await makeBrowser().open(asked.address)
      assert.strictEqual(shown.status, 400, redirect)
    }
  })

  it("keeps the addresses with TLS on this computer that it could register before", async () => {
    const both = ["https://localhost:3000/callback", "http://localhost:3000/callback"]
    const { status, body } = await register(host, { redirect_uris: both })
    assert.strictEqual(status, 201, JSON.stringify(body))
    assert.strictEqual(body.application_type, "web")
  })
})

/** From the question to an answer of the token endpoint, as this client shows who it is. */
const tokensOf = async (client: string, headers: Record<string, string>, given = {}) => {
  const asking = question(host, client, given)
  const answer = await makeBrowser().allow(asking.address, key)
  const { client_id, ...fields } = exchange(asking, answer)
  const isSecret = "authorization" in headers
  return post(host, "/oauth/token", isSecret ? fields : { client_id: client_id ?? "", ...fields }, headers)
}

const basic = (client: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`,
})

describe("a registration", () => {
  it("without a method gives a secret, which the client then needs", async () => {
    const { status, body } = await register(host, { token_endpoint_auth_method: undefined })
    assert.strictEqual(status, 201)
    assert.strictEqual(body.token_endpoint_auth_method, "client_secret_basic")
    const [client, secret] = [text(body.client_id), text(body.client_secret)]
    assert.isAbove(secret.length, 20)
    assert.strictEqual((await tokensOf(client, basic(client, secret))).status, 200)
    assert.strictEqual((await tokensOf(client, {})).status, 401)
    assert.strictEqual((await tokensOf(client, basic(client, "wrong"))).status, 401)
  })

  it("as a public client gives no secret", async () => {
    const { body } = await register(host, { token_endpoint_auth_method: "none" })
    assert.strictEqual(body.token_endpoint_auth_method, "none")
    assert.notProperty(body, "client_secret")
    assert.strictEqual((await tokensOf(text(body.client_id), {})).status, 200)
  })

  it("leaves out what is unknown here, and says what is left", async () => {
    const { status, body } = await register(host, {
      scope: "openid profile transcriptions:read mcp:tools",
      grant_types: ["authorization_code", "refresh_token", "client_credentials", "urn:x"],
      response_types: ["code", "code id_token"],
    })
    assert.strictEqual(status, 201, JSON.stringify(body))
    assert.strictEqual(body.scope, "transcriptions:read")
    assert.deepStrictEqual(body.grant_types, ["authorization_code", "refresh_token"])
    assert.deepStrictEqual(body.response_types, ["code"])
    const asked = { scope: "transcriptions:read transcriptions:write" }
    const tokens = await tokensOf(text(body.client_id), {}, asked)
    assert.strictEqual(tokens.body.scope, asked.scope)
    const unknown = await register(host, { scope: "mcp:tools" })
    assert.strictEqual(unknown.status, 201)
    assert.notProperty(unknown.body, "scope")
  })

  it("is refused when nothing of it is possible here, or when it is not what it should be", async () => {
    for (const metadata of [
      { grant_types: ["client_credentials"] },
      { response_types: ["token"] },
      { grant_types: "authorization_code" },
      { grant_types: [5] },
      { scope: 5 },
      { token_endpoint_auth_method: "tls_client_auth" },
    ]) {
      const { status, body } = await register(host, metadata)
      assert.strictEqual(status, 400, JSON.stringify(metadata))
      assert.strictEqual(body.error, "invalid_client_metadata")
    }
  })

  it("may say the same in a document, which sets no limit to what is asked for later", async () => {
    const document = "https://hosted.example/client-metadata"
    const body = {
      client_id: document,
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "client_credentials"],
      scope: "transcriptions:read mcp:tools",
    }
    host.web.set(document, { body })
    const asked = { scope: "transcriptions:read transcriptions:write" }
    const tokens = await tokensOf(document, {}, asked)
    assert.strictEqual(tokens.status, 200, JSON.stringify(tokens.body))
    assert.strictEqual(tokens.body.scope, asked.scope)
  })
})
