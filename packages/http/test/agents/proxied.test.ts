/** The service under a name with https, behind a proxy that ends TLS and speaks plain http to it. */
import { request as ask, createServer, type Server } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { connect, post, readJson, rpc, withToken } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

const BASE = "https://transcripts.example"

let host: Host
/** The host as it is reached through the proxy. */
let outside: Host
let proxy: Server
let key: string

/** Passes on what comes under the name of the service, and what its clients lie about as well. */
const startProxy = (target: URL) =>
  new Promise<{ readonly server: Server; readonly base: string }>((resolve) => {
    let base = ""
    const server = createServer((arrived, response) => {
      const headers = {
        ...arrived.headers,
        host: "transcripts.example",
        ...(arrived.headers.origin === base && { origin: BASE }),
        "x-forwarded-for": [arrived.headers["x-forwarded-for"], "203.0.113.9"]
          .flat()
          .filter(Boolean)
          .join(", "),
        "x-forwarded-proto": "https",
      }
      const { method, url: path } = arrived
      const passed = ask(
        { hostname: target.hostname, port: target.port, path, method, headers },
        (answer) => {
          const { location } = answer.headers
          // Names and TLS are what this stands for: a client would come back to the name.
          const back = location === undefined ? {} : { location: location.replace(BASE, base) }
          response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...back })
          answer.pipe(response)
        },
      )
      passed.once("error", () => response.destroy())
      arrived.pipe(passed)
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
      resolve({ server, base })
    })
  })

beforeAll(async () => {
  host = await startHost({ facts: { baseUrl: BASE, proxies: 1 } })
  const { server, base } = await startProxy(new URL(host.base))
  proxy = server
  outside = { ...host, base, mcp: `${base}/api/mcp` }
  key = (await host.newKey()).key
})

afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await host.stop()
})

const LIES = {
  forwarded: "host=evil.example;proto=http",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "http",
}

describe("a service behind a proxy with https", () => {
  it("names nothing but its own address, whatever a client says of it", async () => {
    const paths = [
      "/.well-known/oauth-protected-resource/api/mcp",
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
    ]
    for (const path of paths) {
      const answer = await fetch(`${outside.base}${path}`, { headers: LIES })
      const told = await answer.text()
      assert.include(told, BASE)
      assert.notMatch(told, /http:|evil|127\.0\.0\.1/, path)
      assert.isNotNull(answer.headers.get("strict-transport-security"))
    }
    const { body } = await readJson(`${outside.base}/.well-known/oauth-authorization-server`)
    assert.strictEqual(body.issuer, BASE)
    const refused = await rpc(outside, LIES)
    assert.strictEqual(refused.status, 401)
    assert.include(refused.headers.get("www-authenticate") ?? "", `resource_metadata="${BASE}/.well-known`)
  })

  it("signs people in with cookies that never leave https, and gives tokens for its own address", async () => {
    const browser = makeBrowser()
    const { access, client, refresh } = await connect(outside, key, { resource: `${BASE}/api/mcp` }, browser)
    assert.strictEqual((await rpc(outside, withToken(access))).status, 200)
    assert.isNotEmpty(browser.lines)
    for (const line of browser.lines) assert.match(line, /; ?secure\b.*|; ?expires=Thu, 01 Jan 1970/i, line)
    const fields = { grant_type: "refresh_token", client_id: client, refresh_token: refresh }
    assert.strictEqual((await post(outside, "/oauth/token", fields)).status, 200)
    const elsewhere = { ...fields, resource: `${outside.base}/api/mcp` }
    assert.strictEqual((await post(outside, "/oauth/token", elsewhere)).body.error, "invalid_target")
  })

  it("is not known under another name", async () => {
    const asked = new Promise<number>((resolve) => {
      const { hostname, port } = new URL(host.base)
      const headers = { ...withToken(key), host: "evil.example" }
      ask({ hostname, port, path: "/api/mcp", method: "GET", headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      }).end()
    })
    assert.strictEqual(await asked, 403)
  })
})
