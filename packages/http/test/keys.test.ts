import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "./agents/world.js"

let host: Host

beforeAll(async () => {
  host = await startHost()
})

afterAll(() => host?.stop())

const ask = async (key: string, method: string, path: string, body?: unknown) => {
  const answer = await fetch(`${host.base}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === "" ? {} : JSON.parse(text) }
}

describe("a key", () => {
  it("is renamed, loses its name, and opens what it opened", async () => {
    const { key } = await host.newKey()
    const [before] = (await ask(key, "GET", "/keys")).body.data
    const path = `/keys/${before.id}`
    for (const name of ["Nightly backup", "夜間", null]) {
      const renamed = await ask(key, "PATCH", path, { name })
      assert.strictEqual(renamed.status, 200)
      assert.deepStrictEqual({ ...renamed.body, last_used_at: null }, { ...before, name, last_used_at: null })
      assert.strictEqual((await ask(key, "GET", "/keys")).body.data[0].name, name)
    }
  })

  it("keeps its name when the new one is none", async () => {
    const { key } = await host.newKey()
    const [{ id, name }] = (await ask(key, "GET", "/keys")).body.data
    for (const wrong of [{}, { name: "" }, { name: "x".repeat(101) }, { name: 1 }, { name: "a", scopes: [] }])
      assert.strictEqual((await ask(key, "PATCH", `/keys/${id}`, wrong)).status, 400, JSON.stringify(wrong))
    assert.strictEqual((await ask(key, "GET", "/keys")).body.data[0].name, name)
  })

  it("is not renamed by another account, nor by a key that may not manage keys", async () => {
    const { key } = await host.newKey()
    const [{ id }] = (await ask(key, "GET", "/keys")).body.data
    const [eve, reader] = [await host.newKey(), await host.newKey({ scopes: ["transcriptions:read"] })]
    const rename = async (by: string) => {
      const { status, body } = await ask(by, "PATCH", `/keys/${id}`, { name: "mine" })
      return [status, body.code]
    }
    assert.deepStrictEqual(await rename(eve.key), [404, "not_found"])
    assert.deepStrictEqual(await rename(reader.key), [403, "insufficient_scope"])
  })

  it("has a monthly limit of credits, and is told what it has used and when the count begins again", async () => {
    const { key } = await host.newKey()
    const made = await ask(key, "POST", "/keys", { name: "limited", monthly_credits: 1000 })
    assert.deepInclude(made.body, { monthly_credits: 1000, monthly_credits_used: 0 })
    assert.notInclude(made.body.scopes, "keys")
    const path = `/keys/${made.body.id}`
    const create = (by: string, name: string) =>
      ask(by, "POST", "/transcriptions", { url: `https://media.example.org/${name}.mp3` })
    assert.strictEqual((await create(made.body.key, "one")).status, 202)
    const [{ monthly_credits_used: used }] = (await ask(key, "GET", "/keys")).body.data
    assert.isAbove(used, 0)
    assert.deepInclude((await ask(key, "PATCH", path, { monthly_credits: used })).body, {
      name: "limited",
      monthly_credits: used,
    })
    const { status, body } = await create(made.body.key, "two")
    assert.strictEqual(status, 402)
    assert.deepInclude(body, { code: "key_limit_reached", limit: used, used })
    assert.match(body.resets_at, /^\d{4}-\d\d-01T00:00:00\.000Z$/)
    assert.include(body.detail, `This key has used ${used} of its ${used} credit`)
    assert.include(body.detail, `and ${body.needed} more `)
    assert.include(body.detail, `begins again on ${body.resets_at.slice(0, 10)} (UTC)`)
    assert.strictEqual((await create(key, "two")).status, 202)
    assert.isNull((await ask(key, "PATCH", path, { monthly_credits: null })).body.monthly_credits)
    assert.strictEqual((await create(made.body.key, "two")).status, 202)
  })

  it("that manages keys has no limit, since it could make others without one", async () => {
    const { key } = await host.newKey()
    const [{ id }] = (await ask(key, "GET", "/keys")).body.data
    const limited = { monthly_credits: 5 }
    const all = [
      await ask(key, "POST", "/keys", { ...limited, scopes: ["keys", "transcriptions:write"] }),
      await ask(key, "PATCH", `/keys/${id}`, limited),
      await ask(key, "POST", "/keys", { monthly_credits: -1 }),
    ]
    for (const { status, body } of all) assert.deepStrictEqual([status, body.code], [400, "invalid_request"])
    assert.strictEqual(all[0]?.body.errors[0].pointer, "#/monthly_credits")
  })
})
