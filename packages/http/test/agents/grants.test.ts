import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { connect, exchange, post, question, register, rpc, text, withToken } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

let host: Host

beforeAll(async () => {
  host = await startHost()
})

afterAll(() => host?.stop())

const ask = async (key: string, path: string, method = "GET") => {
  const answer = await fetch(`${host.base}${path}`, { method, headers: withToken(key) })
  const text = await answer.text()
  return { status: answer.status, body: text === "" ? {} : JSON.parse(text) }
}

const statusOf = async (token: string) => (await rpc(host, withToken(token))).status

describe("an app that was let in", () => {
  it("is listed for its account, and loses its tokens when it is put out", async () => {
    const { key } = await host.newKey()
    const [app, other] = [await connect(host, key), await connect(host, key)]
    const { body } = await ask(key, "/api/v1/grants")
    assert.lengthOf(body.data, 2)
    const grant = body.data.find(({ client }: { readonly client: string }) => client === app.client)
    assert.deepInclude(grant, { name: "An app", scopes: ["transcriptions:read"] })
    assert.match(grant.granted_at, /^\d{4}-\d\d-\d\dT/)

    const path = `/api/v1/grants/${grant.id}`
    assert.strictEqual((await ask(key, path, "DELETE")).status, 204)
    assert.deepStrictEqual([await statusOf(app.access), await statusOf(other.access)], [401, 200])
    const again = await ask(key, path, "DELETE")
    assert.deepStrictEqual([again.status, again.body.code], [404, "not_found"])
    const left = (await ask(key, "/api/v1/grants")).body.data
    assert.deepStrictEqual(
      left.map(({ client }: { readonly client: string }) => client),
      [other.client],
    )
  })

  it("is listed page by page, in both orders", async () => {
    const { key } = await host.newKey()
    for (let count = 0; count < 3; count++) await connect(host, key)
    const walk = async (order: string) => {
      const ids: Array<string> = []
      let cursor: string | null = null
      do {
        const next: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`
        const { body } = await ask(key, `/api/v1/grants?limit=1&order=${order}${next}`)
        ids.push(...body.data.map(({ id }: { readonly id: string }) => id))
        cursor = body.next_cursor
      } while (cursor !== null)
      return ids
    }
    const newest = await walk("desc")
    assert.strictEqual(new Set(newest).size, 3)
    assert.deepStrictEqual(await walk("asc"), newest.toReversed())
  })

  it("does not exist for another account, and is kept from keys that may not manage access", async () => {
    const { key } = await host.newKey()
    const app = await connect(host, key)
    const [{ id }] = (await ask(key, "/api/v1/grants")).body.data
    const eve = await host.newKey()
    assert.deepStrictEqual((await ask(eve.key, "/api/v1/grants")).body.data, [])
    for (const foreign of [id, "nothing", "x".repeat(500)])
      assert.strictEqual((await ask(eve.key, `/api/v1/grants/${foreign}`, "DELETE")).status, 404, foreign)
    const reader = await host.newKey({ scopes: ["transcriptions:read"] })
    for (const [method, path] of [
      ["GET", "/api/v1/grants"],
      ["DELETE", `/api/v1/grants/${id}`],
    ] as const) {
      const refused = await ask(reader.key, path, method)
      assert.deepStrictEqual([refused.status, refused.body.code], [403, "insufficient_scope"])
    }
    assert.strictEqual(await statusOf(app.access), 200)
  })
})

describe("somebody who signed in to let an app in", () => {
  const client = async () => text((await register(host)).body.client_id)
  const signedIn = async () => {
    const { key, account } = await host.newKey()
    const browser = makeBrowser()
    await browser.allow(question(host, await client()).address, key)
    const asked = async () => (await browser.open(question(host, await client()).address)).html
    assert.include(await asked(), 'value="allow"')
    return { key, account, asked }
  }
  const signInIsAsked = async (asked: () => Promise<string>) =>
    assert.include(await asked(), 'name="api_key"')

  it("signs in again once the key is revoked", async () => {
    const { key, asked } = await signedIn()
    const { body } = await ask(key, "/api/v1/keys")
    assert.strictEqual((await ask(key, `/api/v1/keys/${body.data[0].id}`, "DELETE")).status, 204)
    await signInIsAsked(asked)
  })

  it("signs in again once every session of the account is ended", async () => {
    const { key, asked } = await signedIn()
    assert.strictEqual((await ask(key, "/api/v1/sessions", "DELETE")).status, 204)
    await signInIsAsked(asked)
  })

  it("is asked once where the app writes the address with a slash", async () => {
    const { key } = await host.newKey()
    const browser = makeBrowser()
    const asking = question(host, await client(), { resource: `${host.mcp}/` })
    const answer = await browser.allow(asking.address, key)
    const { body } = await post(host, "/oauth/token", exchange(asking, answer))
    assert.strictEqual(await statusOf(text(body.access_token)), 200)
  })
})
