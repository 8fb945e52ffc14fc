import { storedId } from "@earmark/authorization"
import { OAuthRecords } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, post, rpc, text, withToken } from "./app.js"
import { type Host, startHost } from "./world.js"

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost()
  key = (await host.newKey()).key
})

afterAll(() => host.stop())

const refresh = (client: string, token: string) =>
  post(host, "/oauth/token", { grant_type: "refresh_token", client_id: client, refresh_token: token })

const statusOf = async (token: string) => (await rpc(host, withToken(token))).status

describe("refresh tokens", () => {
  it("are good for eight processes that share one, at the same moment", async () => {
    const { client, refresh: token } = await connect(host, key)
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(client, token)))
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 8 }, () => 200),
    )
    for (const { body } of answers) assert.strictEqual(await statusOf(text(body.access_token)), 200)
  })

  it("are renewed with each use, for an app that is no website too", async () => {
    const { client, refresh: token } = await connect(host, key)
    const { body } = await refresh(client, token)
    assert.notStrictEqual(body.refresh_token, token)
    const record = await host.run(
      Effect.flatMap(OAuthRecords, (records) =>
        records.find("RefreshToken", storedId("RefreshToken", text(body.refresh_token))),
      ),
    )
    assert.closeTo((record?.expiresAt ?? 0) - (record?.createdAt ?? 0), 30 * 86_400_000, 5000)
  })

  it("of another app, and rubbish, are refused", async () => {
    const [mine, other] = [await connect(host, key), await connect(host, key)]
    assert.strictEqual((await refresh(other.client, mine.refresh)).body.error, "invalid_grant")
    assert.strictEqual((await refresh(mine.client, "x".repeat(43))).body.error, "invalid_grant")
    assert.strictEqual((await refresh("nobody", mine.refresh)).status, 401)
    assert.strictEqual((await refresh(mine.client, mine.access)).body.error, "invalid_grant")
  })
})

describe("tokens", () => {
  it("that are revoked are refused at once, and so is what was refreshed with them", async () => {
    const { client, access, refresh: token } = await connect(host, key)
    const revoked = await post(host, "/oauth/revoke", { client_id: client, token })
    assert.strictEqual(revoked.status, 200)
    assert.strictEqual(await statusOf(access), 401)
    assert.strictEqual((await refresh(client, token)).body.error, "invalid_grant")
    const refused = await rpc(host, withToken(access))
    assert.include(refused.headers.get("www-authenticate") ?? "", 'error="invalid_token"')
  })

  it("cannot be revoked by another app", async () => {
    const [mine, other] = [await connect(host, key), await connect(host, key)]
    await post(host, "/oauth/revoke", { client_id: other.client, token: mine.access })
    assert.strictEqual(await statusOf(mine.access), 200)
  })

  it("are nowhere in the store as they are sent, nor is the key that somebody signed in with", async () => {
    const { access, refresh: token } = await connect(host, key)
    const kept = await host.run(
      Effect.gen(function* () {
        const records = yield* OAuthRecords
        const all: Array<unknown> = []
        const models = ["AccessToken", "RefreshToken", "AuthorizationCode", "Session", "Grant", "Interaction"]
        for (const model of [...models, "Client", "Keys"]) {
          all.push((yield* records.list(model, { account: null, limit: 1000, after: null })).items)
        }
        return JSON.stringify(all)
      }),
    )
    assert.include(kept, "AccessToken")
    for (const secret of [access, token, key]) assert.notInclude(kept, secret)
    assert.notInclude(kept, '"d":')
  })

  it("that are rubbish, malformed or in the query open nothing", async () => {
    const { access } = await connect(host, key)
    // What failed before is forgotten.
    host.advance(60)
    for (const value of [
      "Bearer",
      "Bearer ",
      "Basic eDp5",
      `Bearer ${access}x`,
      "Bearer em_live_rubbish",
      access,
    ]) {
      assert.strictEqual((await rpc(host, { authorization: value })).status, 401, value)
    }
    const answer = await fetch(`${host.mcp}?access_token=${access}`, { method: "POST", body: "{}" })
    assert.strictEqual(answer.status, 401)
  })
})
