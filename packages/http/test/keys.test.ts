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
})
