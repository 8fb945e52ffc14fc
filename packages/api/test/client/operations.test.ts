import { EarmarkApi } from "@earmark/api"
import { EarmarkClient } from "@earmark/api/client"
import { makeClient } from "@earmark/api/effect"
import { type Operation, operations as table } from "@earmark/core/operations"
import * as HttpApi from "@effect/platform/HttpApi"
import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"
import { type OperationFacts, operations } from "../../src/client/operations.js"

/** Operations that no account has, for load balancers. */
const PROBES = ["host.healthz", "host.readyz"]

/** With a signature instead of a key: bytes are sent by `upload`, a link is opened as it is, notices come from a provider. */
const SIGNED = ["uploads.put", "exports.media", "exports.open", "credits.notice"]

const placeOf = (method: string, path: string) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`

/** The operations of the client, by their names. */
const known = Object.entries(operations).flatMap(([group, calls]) =>
  Object.entries<OperationFacts>(calls).map(([name, facts]) => [`${group}.${name}`, facts] as const),
)

it("the declaration of the wire has each operation of the table, and what needs no key", () => {
  const declared: Record<string, string> = {}
  HttpApi.reflect(EarmarkApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      declared[`${group.identifier}.${endpoint.name}`] = placeOf(endpoint.method, endpoint.path)
    },
  })
  const wanted = Object.entries(table).map(([id, { method, path }]) => [id, placeOf(method, path)])
  const others = Object.keys(declared).filter((id) => !Object.hasOwn(table, id))
  assert.deepStrictEqual([...others].sort(), [...PROBES, ...SIGNED].sort())
  for (const id of others) delete declared[id]
  assert.deepStrictEqual(declared, Object.fromEntries(wanted))
})

it("the generated table of the client says of each operation what the table says", () => {
  const wanted = Object.entries<Operation>(table).map(([id, { body, isRepeatable, method, path, query }]) => [
    id,
    [placeOf(method, path), query ? "query" : body ? "body" : undefined, isRepeatable],
  ])
  const found = known
    .filter(([id]) => !PROBES.includes(id))
    .map(([id, { method, path, repeatable, takes }]) => [id, [placeOf(method, path), takes, repeatable]])
  assert.deepStrictEqual(Object.fromEntries(found), Object.fromEntries(wanted))
})

const methodsOf = (client: object): ReadonlyArray<string> =>
  Object.entries(client).flatMap(([group, calls]) =>
    typeof calls === "object" ? Object.keys(calls).map((name) => `${group}.${name}`) : [],
  )

it("both forms of the client have a method for each operation, under its name", () => {
  const at = { baseUrl: "https://earmark.example" }
  const wanted = [...Object.keys(table), ...PROBES]
  for (const client of [
    new EarmarkClient({ ...at, apiKey: "em_live_x" }),
    makeClient({ ...at, apiKey: Redacted.make("em_live_x") }),
  ]) {
    assert.deepStrictEqual([...methodsOf(client)].sort(), wanted.sort())
  }
})

it("lists of the Effect client go on over all their pages, and nothing else does", () => {
  const client = makeClient({ baseUrl: "https://earmark.example", apiKey: Redacted.make("em_live_x") })
  for (const [id, { paged }] of known) {
    const [group = "", name = ""] = id.split(".")
    const call: object = Reflect.get(Reflect.get(client, group), name)
    assert.strictEqual("all" in call, paged === true, id)
  }
})
