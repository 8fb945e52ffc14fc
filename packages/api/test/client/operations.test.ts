import { EarmarkApi } from "@earmark/api"
import { EarmarkClient } from "@earmark/api/client"
import { makeClient } from "@earmark/api/effect"
import * as HttpApi from "@effect/platform/HttpApi"
import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"
import { operations } from "../../src/client/operations.js"

/** With a signature instead of a key: an upload is done by `upload`, a link is opened by whoever has it, notices come from a provider. */
const SIGNED = ["uploads.put", "exports.open", "credits.notice"]

const facts = (method: string, path: string) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`

it("the table of operations is that of the declaration", () => {
  const declared: Record<string, string> = {}
  HttpApi.reflect(EarmarkApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      declared[`${group.identifier}.${endpoint.name}`] = facts(endpoint.method, endpoint.path)
    },
  })
  const known = Object.entries(operations).map(([id, { method, path }]) => [id, facts(method, path)])
  assert.deepStrictEqual(Object.fromEntries(known), declared)
})

const methodsOf = (client: object): ReadonlyArray<string> =>
  Object.entries(client).flatMap(([group, calls]) =>
    typeof calls === "object" ? Object.keys(calls).map((name) => `${group}.${name}`) : [],
  )

it("both forms of the client have a method for each operation, under its name", () => {
  const at = { baseUrl: "https://earmark.example" }
  const wanted = Object.keys(operations).filter((id) => !SIGNED.includes(id))
  for (const client of [
    new EarmarkClient({ ...at, apiKey: "em_live_x" }),
    makeClient({ ...at, apiKey: Redacted.make("em_live_x") }),
  ]) {
    assert.deepStrictEqual([...methodsOf(client)].sort(), wanted.sort())
  }
})
