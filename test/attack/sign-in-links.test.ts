/** Sign-in links: each opens one session, within five minutes, from a page of this server. */
import type { AccountId } from "@earmark/core/jobs"
import { Keys, makeSignInLink, OAuthRecords } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"

let host: Host
let account: AccountId

beforeAll(async () => {
  host = await startHost()
  account = (await host.newKey({ scopes: ["transcriptions:read"] })).account
})
afterAll(() => host?.stop())

const newLink = () => host.run(makeSignInLink(account))

// Without `Sec-Fetch-Site`, as old browsers: `fetch` does not let it be set.
const page = () => ({ "Earmark-Console": "1", Origin: new URL(host.base).origin })

const signIn = (body: unknown, headers: Readonly<Record<string, string>> = page()) =>
  fetch(`${host.base}/api/v1/session`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  })

const cookieIn = (answer: Response): string => (answer.headers.get("set-cookie") ?? "").split(";", 1).join("")

const read = (path: string, cookie: string, method = "GET") =>
  fetch(`${host.base}${path}`, { method, headers: { ...page(), Cookie: cookie } })

const keysOf = () =>
  host.run(Effect.flatMap(Keys, (keys) => keys.list(account, { limit: 100, order: "desc" })))

describe("a sign-in link", () => {
  it("opens a session of its account with every scope", async () => {
    const answer = await signIn({ link: await newLink() })
    assert.strictEqual(answer.status, 204)
    const found = JSON.parse(await (await read("/api/v1/account", cookieIn(answer))).text())
    assert.strictEqual(found.id, account)
    assert.includeMembers(found.scopes, ["transcriptions:read", "transcriptions:write", "keys"])
    assert.isFalse(found.is_test)
  })

  it("works once, however many use it at the same moment", async () => {
    const link = await newLink()
    const before = (await keysOf()).data.length
    const answers = await Promise.all(Array.from({ length: 6 }, () => signIn({ link })))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [204, 401, 401, 401, 401, 401])
    assert.strictEqual((await keysOf()).data.length, before + 1)
  })

  it("works for five minutes", async () => {
    const [early, late] = [await newLink(), await newLink()]
    host.advance(299)
    assert.strictEqual((await signIn({ link: early })).status, 204)
    host.advance(2)
    assert.strictEqual((await signIn({ link: late })).status, 401)
  })

  it("is not used up by a page of another site", async () => {
    const link = await newLink()
    const elsewhere = { "Earmark-Console": "1", Origin: "https://evil.example" }
    assert.strictEqual((await signIn({ link }, elsewhere)).status, 401)
    assert.strictEqual((await signIn({ link })).status, 204)
  })

  it("is stored as a hash, which opens nothing", async () => {
    const link = await newLink()
    const page = { account, limit: 100, after: null }
    const { items } = await host.run(
      Effect.flatMap(OAuthRecords, (records) => records.list("ConsoleLink", page)),
    )
    assert.isNotEmpty(items)
    assert.notInclude(JSON.stringify(items), link)
    for (const { id } of items) assert.strictEqual((await signIn({ link: id })).status, 401)
  })

  for (const body of [{}, { link: 1 }, { link: null }, { link: "a", key: "b" }, { link: "x".repeat(201) }]) {
    it(`is refused as ${JSON.stringify(body).slice(0, 40)}`, async () =>
      assert.strictEqual((await signIn(body)).status, 400))
  }

  it("leaves no key that works once its session has ended", async () => {
    for (const path of ["/api/v1/session", "/api/v1/sessions"]) {
      const cookie = cookieIn(await signIn({ link: await newLink() }))
      const [key] = (await keysOf()).data
      assert.strictEqual(key?.name, "sign-in link")
      assert.isNull(key?.revokedAt)
      assert.strictEqual((await read(path, cookie, "DELETE")).status, 204)
      const ended = (await keysOf()).data.find(({ id }) => id === key?.id)
      assert.isNotNull(ended?.revokedAt, path)
      assert.strictEqual((await read("/api/v1/account", cookie)).status, 401)
    }
  })
})
