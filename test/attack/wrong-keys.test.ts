/** Guessing at every door: keys, tokens, codes and signatures that are none are answered twenty times a minute, then with a wait. */
import { FAILED_ATTEMPTS } from "@earmark/core/requests"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  post,
  question,
  readJson,
  register,
  rpc,
  text,
  withToken,
} from "../../packages/http/test/agents/app.js"
import { makeBrowser } from "../../packages/http/test/agents/browser.js"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"

let host: Host
let key: string
let client: string

const METRICS_KEY = "the-key-of-the-metrics"

beforeAll(async () => {
  const rateLimits = { create: null, read: null, failures: FAILED_ATTEMPTS }
  host = await startHost({
    facts: { proxies: 1, rateLimits },
    product: {},
    metrics: "local",
    metricsKey: METRICS_KEY,
  })
  key = (await host.newKey()).key
  client = text((await register(host)).body.client_id)
})
afterAll(() => host?.stop())

let addresses = 0
/** Somebody at an address of their own, as the proxy has seen it. */
const somebody = () => {
  addresses += 1
  return { "x-forwarded-for": `198.51.100.${addresses}` }
}

interface Answer {
  readonly status: number
  readonly headers: Headers
}

type Door = (from: Record<string, string>) => Promise<Answer>

const PUT = "/uploads/acct_00000000000000000000000000/00000000-0000-4000-8000-000000000000.mp3"
const SIGNED = "expires=4102444800&signature=AAAA"

const doors: Readonly<Record<string, Door>> = {
  "a wrong key over REST": (from) =>
    fetch(`${host.base}/api/v1/transcriptions`, { headers: { ...from, ...withToken("em_live_x") } }),
  "no key over REST": (from) => fetch(`${host.base}/api/v1/credits`, { headers: from }),
  "a wrong key over MCP": (from) => rpc(host, { ...from, ...withToken("em_live_x") }, "tools/list", {}),
  "a wrong token over MCP": (from) => rpc(host, { ...from, ...withToken("x".repeat(43)) }, "tools/list", {}),
  "a wrong code": (from) =>
    post(
      host,
      "/oauth/token",
      {
        grant_type: "authorization_code",
        client_id: client,
        code: "x".repeat(43),
        code_verifier: "x".repeat(43),
        redirect_uri: "http://127.0.0.1:9999/callback",
      },
      from,
    ),
  "a wrong refresh token": (from) =>
    post(
      host,
      "/oauth/token",
      { grant_type: "refresh_token", client_id: client, refresh_token: "x".repeat(43) },
      from,
    ),
  "a wrong client at the token endpoint": (from) =>
    post(
      host,
      "/oauth/token",
      { grant_type: "refresh_token", client_id: "nobody", refresh_token: "x" },
      from,
    ),
  "a wrong client at the revocation endpoint": (from) =>
    post(host, "/oauth/revoke", { client_id: "nobody", token: "x" }, from),
  "a wrong client at the endpoint for pushed requests": (from) =>
    post(host, "/oauth/par", { client_id: "nobody", response_type: "code" }, from),
  "a wrong client at the authorization endpoint": (from) =>
    fetch(question(host, "nobody").address, { headers: from, redirect: "manual" }),
  "a wrong signature of an upload": (from) =>
    fetch(`${host.base}${PUT}?type=audio%2Fmpeg&bytes=4&${SIGNED}`, {
      method: "PUT",
      headers: { ...from, "content-type": "audio/mpeg" },
      body: "abcd",
    }),
  "a wrong signature of an export": (from) =>
    fetch(
      `${host.base}/exports/acct_00000000000000000000000000/tr_00000000000000000000?format=srt&${SIGNED}`,
      { headers: from },
    ),
  "a wrong key of the metrics": (from) =>
    fetch(`${host.base}/metrics`, { headers: { ...from, ...withToken("wrong") } }),
}

const statusesOf = async (door: Door, from: Record<string, string>, count: number) => {
  const told: Array<Answer> = []
  for (let tries = 0; tries < count; tries++) told.push(await door(from))
  return told
}

describe("what is wrong, from one address", () => {
  for (const [name, door] of Object.entries(doors)) {
    it(`is answered twenty times: ${name}`, async () => {
      const from = somebody()
      const told = await statusesOf(door, from, 26)
      const first = told.slice(0, 20).map(({ status }) => status)
      assert.notInclude(first, 429)
      for (const status of first) assert.oneOf(status, [400, 401, 403, 404])
      const last = told.at(-1) ?? assert.fail()
      assert.strictEqual(last.status, 429, name)
      const wait = Number(last.headers.get("retry-after"))
      assert.isTrue(Number.isInteger(wait) && wait >= 1 && wait <= 60, String(wait))
    })
  }

  it("is counted over all doors together", async () => {
    const from = somebody()
    const all = Object.values(doors)
    for (let tries = 0; tries < 20; tries++) await all[tries % all.length]?.(from)
    for (const door of all) assert.strictEqual((await door(from)).status, 429)
  })

  it("leaves right keys, other addresses, and apps that begin alone", async () => {
    const from = somebody()
    await statusesOf(doors["a wrong token over MCP"] ?? assert.fail(), from, 25)
    assert.strictEqual((await rpc(host, { ...from, ...withToken(key) }, "tools/list", {})).status, 200)
    const rest = await fetch(`${host.base}/api/v1/credits`, { headers: { ...from, ...withToken(key) } })
    assert.strictEqual(rest.status, 200)
    const metrics = await fetch(`${host.base}/metrics`, { headers: { ...from, ...withToken(METRICS_KEY) } })
    assert.strictEqual(metrics.status, 200)
    assert.strictEqual((await rpc(host, from, "tools/list", {})).status, 401)
    assert.strictEqual((await readJson(`${host.base}/.well-known/oauth-authorization-server`)).status, 200)
    assert.strictEqual((await doors["a wrong key over MCP"]?.(somebody()))?.status, 401)
  })

  it("is counted where the proxy has seen it, whatever the client claims", async () => {
    const from = (claimed: number) => ({ "x-forwarded-for": `203.0.113.${claimed}, 192.0.2.77` })
    let last = 0
    for (let tries = 0; tries < 22; tries++) {
      last = (await rpc(host, { ...from(tries), ...withToken("em_live_x") }, "tools/list", {})).status
    }
    assert.strictEqual(last, 429)
  })
})

describe("the sign-in page", () => {
  it("counts wrong keys with those of the other doors, and lets the right one in", async () => {
    const from = somebody()
    const browser = makeBrowser(from)
    const asked = await browser.open(question(host, client).address)
    let shown = asked
    for (let tries = 0; tries < 10; tries++) {
      shown = await browser.send(shown, "sign_in", { api_key: "em_live_x" })
      await doors["a wrong key over REST"]?.(from)
    }
    shown = await browser.send(shown, "sign_in", { api_key: "em_live_x" })
    assert.strictEqual(shown.status, 429)
    assert.include(shown.html, "Too many tries")
    assert.isAtLeast(Number(shown.headers.get("retry-after")), 1)
    assert.strictEqual((await doors["a wrong token over MCP"]?.(from))?.status, 429)
    const consent = await browser.send(asked, "sign_in", { api_key: key })
    assert.include(consent.html, "asks for access")
  })
})
