/** Every operation of the table has its route, which takes a key with the scope that the table says and no other; every key where it says none. */

import { type Operation, operations } from "@earmark/core/operations"
import { Scope } from "@earmark/core/wire"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "./agents/world.js"

let host: Host
const keys = new Map<Scope, string>()

beforeAll(async () => {
  host = await startHost()
  for (const scope of Scope.literals) keys.set(scope, (await host.newKey({ scopes: [scope] })).key)
})

afterAll(() => host.stop())

const ask = async ({ method, path }: Operation, key?: string) => {
  const answer = await fetch(`${host.base}${path.replaceAll(/:\w+/g, "nothing")}`, {
    method,
    headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
  })
  const isEndless = answer.headers.get("Content-Type")?.startsWith("text/event-stream") === true
  if (isEndless) await answer.body?.cancel()
  const text = isEndless ? "" : await answer.text()
  const problem: unknown = text.startsWith("{") ? JSON.parse(text) : {}
  return { status: answer.status, problem: Object.entries(problem ?? {}), headers: answer.headers }
}

describe("an operation of the table", () => {
  it("takes an empty body for none where the body is optional, whatever its type is said to be", async () => {
    const key = keys.get("webhooks")
    const send = async (path: string, headers: Record<string, string>, body?: string) => {
      const answer = await fetch(`${host.base}/api/v1/webhooks${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, ...headers },
        ...(body !== undefined && { body }),
      })
      return { status: answer.status, body: Object(await answer.json()) }
    }
    const json = { "Content-Type": "application/json" }
    const { body: hook } = await send("", json, '{"url":"https://a.example/hook"}')
    for (const headers of [{}, json]) {
      const rotated = await send(`/${hook.id}/rotate-secret`, headers)
      assert.strictEqual(rotated.status, 200, JSON.stringify(rotated.body))
    }
    for (const [path, body] of [
      [`/${hook.id}/rotate-secret`, " "],
      ["", ""],
    ] as const) {
      const refused = await send(path, json, body)
      assert.deepInclude(refused.body, { status: 400, code: "invalid_json" }, path)
    }
  })

  for (const [id, operation] of Object.entries<Operation>(operations)) {
    it(`${id} is at ${operation.method} ${operation.path}, for keys with ${operation.scope ?? "any scope"}`, async () => {
      assert.strictEqual((await ask(operation)).status, 401)
      for (const [scope, key] of keys) {
        const { headers, problem, status } = await ask(operation, key)
        const code = new Map(problem).get("code")
        if (operation.scope !== null && scope !== operation.scope) {
          assert.deepStrictEqual([status, code], [403, "insufficient_scope"], scope)
          continue
        }
        assert.notStrictEqual(status, 405)
        assert.notInclude(JSON.stringify(problem), "There is nothing at this address")
        assert.notInclude([401, 403, 500, 503], status)
        if (status < 400) assert.include(Object.keys(operation.answers), String(status))
        else assert.isNotNull(headers.get("Request-Id"))
      }
    })
  }
})
