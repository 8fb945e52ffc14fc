import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  connect,
  exchange,
  post,
  question,
  REDIRECT,
  readJson,
  register,
  rpc,
  text,
  withToken,
} from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

const EVERYDAY = "transcriptions:read transcriptions:write billing:read"

let host: Host
let key: string
let account: string

beforeAll(async () => {
  host = await startHost()
  const made = await host.newKey()
  key = made.key
  account = made.account
})

afterAll(() => host.stop())

const resourceMetadata = () => `${host.base}/.well-known/oauth-protected-resource/api/mcp`

describe("an app without any library", () => {
  it("finds its way from a 401 to a tool", async () => {
    const first = await rpc(host, {})
    assert.strictEqual(first.status, 401)
    const challenge = first.headers.get("www-authenticate") ?? ""
    assert.strictEqual(challenge, `Bearer resource_metadata="${resourceMetadata()}", scope="${EVERYDAY}"`)
    const resource = await readJson(resourceMetadata())
    assert.strictEqual(resource.body.resource, host.mcp)
    assert.deepStrictEqual(resource.body.authorization_servers, [host.base])
    assert.deepStrictEqual(resource.body.scopes_supported, EVERYDAY.split(" "))
    const tokens = await connect(host, key)
    assert.strictEqual(tokens.scope, "transcriptions:read")
    const answer = await rpc(host, withToken(tokens.access))
    assert.strictEqual(answer.status, 200, await answer.clone().text())
    const caller = host.callers.at(-1)
    assert.strictEqual(caller?.account, account)
    assert.isTrue(caller?.canAskForScopes)
  })

  it("reads metadata under both names, and none that it should not ask for", async () => {
    const [plain, suffixed] = [
      await readJson(`${host.base}/.well-known/oauth-protected-resource`),
      await readJson(resourceMetadata()),
    ]
    assert.deepStrictEqual(plain.body, suffixed.body)
    for (const name of ["oauth-authorization-server", "openid-configuration"]) {
      const { body, headers } = await readJson(`${host.base}/.well-known/${name}`)
      assert.strictEqual(body.issuer, host.base)
      assert.deepStrictEqual(body.code_challenge_methods_supported, ["S256"])
      assert.deepStrictEqual(body.scopes_supported, EVERYDAY.split(" "))
      assert.isTrue(body.authorization_response_iss_parameter_supported)
      assert.isTrue(body.client_id_metadata_document_supported)
      assert.strictEqual(body.registration_endpoint, `${host.base}/oauth/register`)
      assert.strictEqual(body.pushed_authorization_request_endpoint, `${host.base}/oauth/par`)
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
    }
  })

  it("is told the issuer with the answer, and its state", async () => {
    const client = text((await register(host)).body.client_id)
    const answer = await makeBrowser().allow(question(host, client).address, key)
    assert.strictEqual(answer.origin + answer.pathname, REDIRECT)
    assert.strictEqual(answer.searchParams.get("iss"), host.base)
    assert.strictEqual(answer.searchParams.get("state"), "s1")
  })

  it("is given the everyday scopes when it names none, by query and by pushed request", async () => {
    const client = text((await register(host)).body.client_id)
    const asking = question(host, client, { scope: null, resource: null })
    const browser = makeBrowser()
    const tokens = await post(
      host,
      "/oauth/token",
      exchange(asking, await browser.allow(asking.address, key)),
    )
    assert.strictEqual(tokens.body.scope, EVERYDAY)
    const parameters = Object.fromEntries(new URL(asking.address).searchParams)
    const pushed = await post(host, "/oauth/par", parameters)
    assert.strictEqual(pushed.status, 201, JSON.stringify(pushed.body))
    const uri = encodeURIComponent(text(pushed.body.request_uri))
    const address = `${host.base}/oauth/authorize?client_id=${client}&request_uri=${uri}`
    const again = await post(host, "/oauth/token", exchange(asking, await browser.allow(address, key)))
    assert.strictEqual(again.body.scope, EVERYDAY)
  })

  it("is refused before the sign-in when it names only unknown scopes, by query and by pushed request", async () => {
    const client = text((await register(host)).body.client_id)
    for (const scope of ["bogus", "openid mcp:tools"]) {
      const { address } = question(host, client, { scope })
      const answer = await fetch(address, { redirect: "manual" })
      const back = new URL(answer.headers.get("location") ?? "", host.base)
      assert.strictEqual(back.origin + back.pathname, REDIRECT)
      assert.strictEqual(back.searchParams.get("error"), "invalid_scope")
      assert.include(back.searchParams.get("error_description") ?? "", EVERYDAY.replaceAll(" ", ", "))
      assert.strictEqual(back.searchParams.get("state"), "s1")
      const pushed = await post(host, "/oauth/par", Object.fromEntries(new URL(address).searchParams))
      assert.strictEqual(pushed.status, 400)
      assert.strictEqual(pushed.body.error, "invalid_scope")
    }
    assert.strictEqual((await connect(host, key, { scope: "bogus billing:read" })).scope, "billing:read")
    assert.strictEqual((await connect(host, key, { scope: "openid" })).scope, EVERYDAY)
  })

  it("gets more when it asks for more, and is asked about no more than that", async () => {
    const browser = makeBrowser()
    const { body } = await register(host, { scope: "transcriptions:read" })
    const client = text(body.client_id)
    const first = question(host, client)
    const { body: tokens } = await post(
      host,
      "/oauth/token",
      exchange(first, await browser.allow(first.address, key)),
    )
    const call = { name: "test_write", arguments: {} }
    const refused = await rpc(host, withToken(text(tokens.access_token)), "tools/call", call)
    assert.strictEqual(refused.status, 403)
    const challenge = refused.headers.get("www-authenticate") ?? ""
    assert.include(challenge, 'error="insufficient_scope"')
    assert.include(challenge, 'scope="transcriptions:write"')
    assert.include(challenge, `resource_metadata="${resourceMetadata()}"`)
    const second = question(host, client, { scope: "transcriptions:read transcriptions:write" })
    const page = await browser.open(second.address)
    assert.include(page.html, "asks for more access")
    const [asked = "", given = ""] = page.html.split("It already can")
    assert.include(asked, "Start and cancel transcriptions")
    assert.notInclude(asked, "Read, search and export")
    assert.include(given, "Read, search and export")
    const answer = await browser.send(page, "allow")
    const more = await post(host, "/oauth/token", exchange(second, new URL(answer.address)))
    assert.strictEqual(more.body.scope, "transcriptions:read transcriptions:write")
    const done = await rpc(host, withToken(text(more.body.access_token)), "tools/call", call)
    assert.strictEqual(done.status, 200)
  })

  it("is told when it was denied", async () => {
    const client = text((await register(host)).body.client_id)
    const browser = makeBrowser()
    const signIn = await browser.open(question(host, client).address)
    const consent = await browser.send(signIn, "sign_in", { api_key: key })
    for (const page of [signIn, consent]) {
      const other = makeBrowser()
      const asked = page === signIn ? await other.open(question(host, client).address) : page
      const denied = new URL((await (page === signIn ? other : browser).send(asked, "deny")).address)
      assert.strictEqual(denied.searchParams.get("error"), "access_denied")
      assert.isNull(denied.searchParams.get("code"))
    }
  })

  it("is known by its document, which is fetched through the guarded door", async () => {
    const document = "https://client.example/app.json"
    const metadata = {
      client_id: document,
      client_name: "Known app",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    }
    host.web.set(document, { body: metadata })
    const browser = makeBrowser()
    const asking = question(host, document)
    const page = await browser.send(await browser.open(asking.address), "sign_in", { api_key: key })
    assert.include(page.html, "client.example")
    const answer = await browser.send(page, "allow")
    const tokens = await post(host, "/oauth/token", exchange(asking, new URL(answer.address)))
    assert.strictEqual((await rpc(host, withToken(text(tokens.body.access_token)))).status, 200)
    assert.include(host.asked, document)
    const missing = await browser.open(question(host, "https://nowhere.example/app.json").address)
    assert.strictEqual(missing.status, 400)
    host.web.set("https://evil.example/app.json", {
      body: {
        ...metadata,
        client_id: "https://evil.example/app.json",
        redirect_uris: ["http://evil.example/"],
      },
    })
    const evil = await browser.open(question(host, "https://evil.example/app.json").address)
    assert.strictEqual(evil.status, 400)
  })
})
