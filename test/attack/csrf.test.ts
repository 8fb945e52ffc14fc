/** Sessions of browsers: a cookie counts only for pages of this server, and dies with the key that opened it. */
import { request } from "node:http"
import { Keys } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"

type Headers = Readonly<Record<string, string>>

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

let host: Host
let full: { readonly account: Parameters<Keys["Type"]["list"]>[0]; readonly key: string }
let reader: { readonly key: string }

// Sites that pages of this test are on are listed for CORS, which gives their cookies no force.
const LISTED = "https://listed.example"

beforeAll(async () => {
  host = await startHost({ facts: { corsOrigins: [LISTED] } })
  full = await host.newKey()
  reader = await host.newKey({ scopes: ["transcriptions:read"] })
})
afterAll(() => host?.stop())

/** Sends what `fetch` would not let a page send. */
const ask = (method: string, path: string, headers: Headers, body?: unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${host.base}${path}`,
      { method, headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) } },
      (answer) => {
        let text = ""
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part
        })
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body))
  })

const PAGE: Headers = { "earmark-console": "1", "sec-fetch-site": "same-origin" }

const cookieIn = ({ headers }: Answer): string => String(headers["set-cookie"]).split(";", 1).join("")

const signIn = async (key: string, headers: Headers = PAGE): Promise<string> => {
  const answer = await ask("POST", "/api/v1/session", headers, { key })
  assert.strictEqual(answer.status, 204, answer.text)
  return cookieIn(answer)
}

const codeOf = ({ text }: Answer): unknown => JSON.parse(text).code

describe("a cookie", () => {
  const origin = () => new URL(host.base).origin
  const table: ReadonlyArray<readonly [string, () => Headers, number]> = [
    ["from a page of this server", () => PAGE, 200],
    ["from an old browser, by its origin", () => ({ "earmark-console": "1", origin: origin() }), 200],
    ["without the header", () => ({ "sec-fetch-site": "same-origin" }), 401],
    ["with another value of the header", () => ({ ...PAGE, "earmark-console": "true" }), 401],
    ["from another site", () => ({ ...PAGE, "sec-fetch-site": "cross-site" }), 401],
    ["from a neighbour of the site", () => ({ ...PAGE, "sec-fetch-site": "same-site" }), 401],
    ["from the address bar", () => ({ ...PAGE, "sec-fetch-site": "none" }), 401],
    ["from nowhere that is said", () => ({ "earmark-console": "1" }), 401],
    ["from the origin null", () => ({ "earmark-console": "1", origin: "null" }), 401],
    ["from an origin that is listed", () => ({ "earmark-console": "1", origin: LISTED }), 401],
    ["from another port", () => ({ "earmark-console": "1", origin: "http://127.0.0.1:1" }), 401],
    [
      "from another site, with our origin",
      () => ({ ...PAGE, "sec-fetch-site": "cross-site", origin: origin() }),
      401,
    ],
    ["beside a key", () => ({ ...PAGE, authorization: `Bearer ${full.key}` }), 401],
  ]
  for (const [what, headers, status] of table) {
    for (const [method, path, good] of [
      ["GET", "/api/v1/account", 200],
      ["GET", "/api/v1/transcriptions", 200],
      ["DELETE", "/api/v1/sessions/none", 404],
      ["GET", "/api/v1/grants", 200],
      ["GET", "/api/v1/batches", 200],
      ["DELETE", "/api/v1/grants/none", 404],
    ] as const) {
      it(`${what}: ${method} ${path} is ${status === 200 ? good : status}`, async () => {
        const cookie = await signIn(full.key)
        const answer = await ask(method, path, { ...headers(), cookie })
        assert.strictEqual(answer.status, status === 200 ? good : status, answer.text)
        assert.isUndefined(answer.headers["access-control-allow-credentials"])
      })
    }
  }

  it("counts on the public API alone", async () => {
    const cookie = await signIn(full.key)
    for (const path of ["/v1/models", "/api/mcp", "/metrics"]) {
      const bare = await ask("GET", path, PAGE)
      assert.strictEqual((await ask("GET", path, { ...PAGE, cookie })).status, bare.status, path)
    }
    assert.strictEqual((await ask("POST", "/v1/audio/transcriptions", { ...PAGE, cookie }, {})).status, 401)
  })

  it("that is given twice, or is no session, opens nothing", async () => {
    const cookie = await signIn(full.key)
    const [name = ""] = cookie.split("=")
    for (const wrong of [`${cookie}; ${cookie}`, `${name}=`, `${name}=${"A".repeat(43)}`, `x${cookie}`]) {
      assert.strictEqual((await ask("GET", "/api/v1/account", { ...PAGE, cookie: wrong })).status, 401, wrong)
    }
  })
})

describe("a session", () => {
  it("is refused to other sites, and to keys that are not good", async () => {
    const path = "/api/v1/session"
    const elsewhere = { ...PAGE, "sec-fetch-site": "cross-site" }
    assert.strictEqual((await ask("POST", path, elsewhere, { key: full.key })).status, 401)
    assert.strictEqual((await ask("POST", path, PAGE, { key: "em_live_x" })).status, 401)
    assert.strictEqual((await ask("POST", path, PAGE, { key: 1 })).status, 400)
  })

  it("has a cookie that scripts cannot read, a new one with each sign-in, and the one before ends", async () => {
    const answer = await ask("POST", "/api/v1/session", PAGE, { key: full.key })
    assert.match(String(answer.headers["set-cookie"]), /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    const before = cookieIn(answer)
    const after = await signIn(full.key, { ...PAGE, cookie: before })
    assert.notStrictEqual(after, before)
    assert.strictEqual((await ask("GET", "/api/v1/account", { ...PAGE, cookie: before })).status, 401)
    assert.strictEqual((await ask("GET", "/api/v1/account", { ...PAGE, cookie: after })).status, 200)
  })

  it("may do what its key may, and no more", async () => {
    const cookie = await signIn(reader.key)
    assert.strictEqual((await ask("GET", "/api/v1/transcriptions", { ...PAGE, cookie })).status, 200)
    const refused = await ask("POST", "/api/v1/keys", { ...PAGE, cookie }, { name: "k" })
    assert.deepStrictEqual([refused.status, codeOf(refused)], [403, "insufficient_scope"])
  })

  it("ends when its person signs out", async () => {
    const cookie = await signIn(full.key)
    const ended = await ask("DELETE", "/api/v1/session", { ...PAGE, cookie })
    assert.strictEqual(ended.status, 204)
    assert.include(String(ended.headers["set-cookie"]), "Max-Age=0")
    assert.strictEqual((await ask("GET", "/api/v1/account", { ...PAGE, cookie })).status, 401)
  })

  it("is listed without what opens it, and is not ended by another account", async () => {
    const cookie = await signIn(full.key)
    const listed = await ask("GET", "/api/v1/sessions", { ...PAGE, cookie })
    const current = JSON.parse(listed.text).data.find((each: { is_current: boolean }) => each.is_current)
    assert.notInclude(listed.text, cookie.split("=").slice(1).join("="))
    assert.property(current, "key_name")
    const other = await signIn((await host.newKey()).key)
    const path = `/api/v1/sessions/${current.id}`
    assert.strictEqual((await ask("DELETE", path, { ...PAGE, cookie: other })).status, 404)
    assert.strictEqual((await ask("DELETE", path, { ...PAGE, cookie })).status, 204)
    assert.strictEqual((await ask("GET", "/api/v1/account", { ...PAGE, cookie })).status, 401)
    assert.strictEqual((await ask("GET", "/api/v1/account", { ...PAGE, cookie: other })).status, 200)
  })

  it("ends with all others of its account", async () => {
    const cookies = [await signIn(full.key), await signIn(full.key)]
    const answer = await ask("DELETE", "/api/v1/sessions", { ...PAGE, cookie: cookies[0] ?? "" })
    assert.strictEqual(answer.status, 204)
    for (const cookie of cookies)
      assert.strictEqual((await ask("GET", "/api/v1/account", { ...PAGE, cookie })).status, 401)
  })

  it("dies with the key that opened it", async () => {
    const { account, key } = await host.newKey()
    const cookie = await signIn(key)
    await host.run(
      Effect.gen(function* () {
        const keys = yield* Keys
        const { data } = yield* keys.list(account, { limit: 100, order: "asc" })
        for (const { id } of data) yield* keys.revoke(account, id)
      }),
    )
    assert.strictEqual((await ask("GET", "/api/v1/account", { ...PAGE, cookie })).status, 401)
  })

  it("is asked again for what costs money or gives access, 15 minutes after the sign-in", async () => {
    const cookie = await signIn(full.key)
    const make = () => ask("POST", "/api/v1/keys", { ...PAGE, cookie }, { name: "k" })
    assert.strictEqual((await make()).status, 201)
    host.advance(15 * 60 + 1)
    const refused = await make()
    assert.deepStrictEqual([refused.status, codeOf(refused)], [403, "sign_in_again"])
    assert.strictEqual((await ask("GET", "/api/v1/keys", { ...PAGE, cookie })).status, 200)
  })

  it("ends after 12 hours without a request, and after 30 days whatever is done", async () => {
    const [idle, busy] = [await signIn(full.key), await signIn(full.key)]
    const ask12 = (cookie: string) => ask("GET", "/api/v1/account", { ...PAGE, cookie })
    for (let hours = 0; hours < 30 * 24 - 11; hours += 11) {
      assert.strictEqual((await ask12(busy)).status, 200, `after ${hours} hours`)
      host.advance(11 * 3600)
    }
    assert.strictEqual((await ask12(idle)).status, 401)
    host.advance(11 * 3600)
    assert.strictEqual((await ask12(busy)).status, 401)
  })
})
