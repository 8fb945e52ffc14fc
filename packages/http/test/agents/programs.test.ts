/** Programs that come as they are: on a port of the moment, and with metadata written for other servers. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { exchange, post, question, register, rpc, text, withToken } from "./app.js"
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
      const metadata = { redirect_uris: redirects, token_endpoint_auth_method: "none", ...named }
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
