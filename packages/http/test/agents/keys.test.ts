/** Keys of the authorization server are followed by new ones, and nobody notices. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { connect, exchange, post, question, readJson, register, rpc, text, withToken } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

const HOUR = 3600
const DAY = 24 * HOUR

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost()
  key = (await host.newKey()).key
})

afterAll(() => host.stop())

const published = async () => {
  const { keys } = (await readJson(`${host.base}/oauth/jwks`)).body
  return Array.isArray(keys) ? keys.map(({ kid }) => text(kid)) : []
}

describe("keys", () => {
  it("are followed after 90 days: old cookies and tokens stay good, and the new one signs when all know it", async () => {
    const [first = ""] = await published()
    host.advance(90 * DAY - HOUR)
    const browser = makeBrowser()
    const client = text((await register(host)).body.client_id)
    const asking = question(host, client)
    const answer = await browser.allow(asking.address, key)
    const { body } = await post(host, "/oauth/token", exchange(asking, answer))
    const { refresh } = await connect(host, key)
    assert.deepStrictEqual(await published(), [first])

    host.advance(2 * HOUR)
    const both = await published()
    assert.strictEqual(both.length, 2)
    assert.strictEqual(both[0], first)

    host.advance(3 * HOUR)
    const [now = "", before] = await published()
    assert.deepStrictEqual([now === first, before], [false, first])
    // Whoever has signed in before is still signed in: nothing but the consent is asked.
    const shown = await browser.open(question(host, client, { scope: "transcriptions:write" }).address)
    assert.include(shown.html, 'value="allow"')
    const fields = { grant_type: "refresh_token", client_id: client, refresh_token: text(body.refresh_token) }
    const renewed = await post(host, "/oauth/token", fields)
    assert.strictEqual(renewed.status, 200, JSON.stringify(renewed.body))
    assert.strictEqual((await rpc(host, withToken(text(renewed.body.access_token)))).status, 200)
    assert.isNotEmpty(refresh)

    host.advance(91 * DAY)
    await published()
    host.advance(3 * HOUR)
    const later = await published()
    assert.strictEqual(later.length, 2)
    assert.notInclude(later, first)
  })
})
