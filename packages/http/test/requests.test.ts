import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { jsonReply } from "../src/answers/Reply.js"
import { acceptsJson, acceptsProblems } from "../src/requests/accepts.js"
import { etagOf, isUnchanged } from "../src/requests/conditional.js"
import { readQuery } from "../src/requests/readQuery.js"
import type { Route } from "../src/routes/Route.js"
import { makeRouter } from "../src/routes/Router.js"

describe("readQuery", () => {
  for (const [query, found] of [
    ["", {}],
    ["a=1&b=", { a: "1", b: "" }],
    ["a=1+2%203&&c", { a: "1 2 3", c: "" }],
    ["metadata%5Bx%5D=%F0%9F%8E%A7", { "metadata[x]": "🎧" }],
    ["a=b=c", { a: "b=c" }],
  ] as const) {
    it(`reads ${JSON.stringify(query)}`, () => {
      assert.deepStrictEqual(Either.getOrThrow(readQuery(query)), found)
    })
  }

  it("keeps a dangerous name as a name, so that it is refused as one", () => {
    const read = Either.getOrThrow(readQuery("__proto__=1"))
    assert.deepStrictEqual(Object.keys(read), ["__proto__"])
  })

  for (const query of ["a=%", "a=%zz", "a=%ff", "a=%c0%af", "%ff=1", "a=1&a=2"]) {
    it(`refuses ${query}`, () => {
      const refused = Either.getOrThrow(Either.flip(readQuery(query)))
      assert.strictEqual(refused.code, "invalid_request")
    })
  }
})

describe("acceptsJson", () => {
  const table: ReadonlyArray<readonly [string | undefined, boolean]> = [
    [undefined, true],
    ["", true],
    ["*/*", true],
    ["*/*;q=x", true],
    ["text/html, application/*;q=0.1", true],
    ["application/problem+json", true],
    ["Application/JSON; charset=utf-8", true],
    ["text/html", false],
    ["application/json;q=0", false],
    ["application/json; q=0.000, text/html", false],
  ]
  for (const [accept, expected] of table)
    it(`${accept}: ${expected}`, () => assert.strictEqual(acceptsJson(accept), expected))
})

describe("acceptsProblems", () => {
  const table: ReadonlyArray<readonly [string | undefined, boolean]> = [
    [undefined, true],
    ["*/*", true],
    ["application/json, text/plain, */*", true],
    ["application/json, application/problem+json", true],
    ["application/*", true],
    ["text/html", true],
    ["application/json", false],
    ["Application/JSON; charset=utf-8, text/event-stream", false],
    ["application/json, application/problem+json;q=0", false],
  ]
  for (const [accept, expected] of table)
    it(`${accept}: ${expected}`, () => assert.strictEqual(acceptsProblems(accept), expected))
})

describe("conditional reading", () => {
  it("has one tag for the same bytes, however they are cut", () => {
    assert.strictEqual(etagOf(["ab", "c"]), etagOf([new TextEncoder().encode("a"), "bc"]))
    assert.notStrictEqual(etagOf(["abc"]), etagOf(["abd"]))
    assert.match(etagOf([]), /^"[A-Za-z0-9_-]{27}"$/)
  })

  it("knows the tag in a list, a weak one, and any", () => {
    const tag = etagOf(["x"])
    for (const header of [tag, `"y", ${tag}`, `W/${tag}`, "*"])
      assert.isTrue(isUnchanged(header, tag), header)
    for (const header of [undefined, "", '"', tag.slice(1)]) assert.isFalse(isUnchanged(header, tag))
  })
})

describe("makeRouter", () => {
  const route = (method: Route["method"], path: string): Route => ({
    method,
    path,
    answer: { type: "open", reply: () => Effect.succeed(jsonReply(200, path)) },
  })
  const find = makeRouter([
    route("GET", "/jobs"),
    route("POST", "/jobs"),
    route("GET", "/jobs/:id"),
    route("GET", "/jobs/new"),
    route("DELETE", "/jobs/:id"),
    route("GET", "/other/known"),
    route("GET", "/other/*"),
  ])
  const found = (method: string, path: string) => {
    const routed = find(method, path)
    return routed.type === "found" ? [routed.route.path, routed.path] : routed.refusal.code
  }

  it("finds routes, and what stands at their named places", () => {
    assert.deepStrictEqual(found("GET", "/jobs"), ["/jobs", {}])
    assert.deepStrictEqual(found("DELETE", "/jobs/a%2Fb"), ["/jobs/:id", { id: "a/b" }])
    assert.deepStrictEqual(found("GET", "/jobs/new"), ["/jobs/new", {}])
    assert.deepStrictEqual(found("HEAD", "/jobs"), ["/jobs", {}])
  })

  it("has nothing at other addresses", () => {
    for (const path of ["/", "", "/jobs/", "/Jobs", "/jobs/a/b", "/jobs/%zz", "//jobs", "/jobs/%ff"])
      assert.strictEqual(found("GET", path), "not_found", path)
  })

  it("takes everything below a place that ends with a star, by any method, where nothing else is", () => {
    for (const path of ["/other", "/other/", "/other/a/b/c", "/other/%ff"])
      assert.deepStrictEqual(found("PUT", path), ["/other/*", {}], path)
    assert.deepStrictEqual(found("GET", "/other/known"), ["/other/known", {}])
    assert.strictEqual(found("PUT", "/other/known"), "method_not_allowed")
    assert.strictEqual(found("GET", "/others"), "not_found")
  })

  it("tells which methods an address takes", () => {
    const refused = find("PUT", "/jobs/a")
    assert.strictEqual(refused.type, "refused")
    if (refused.type !== "refused") return
    assert.strictEqual(refused.refusal.code, "method_not_allowed")
    assert.deepStrictEqual(refused.refusal.headers, { Allow: "GET, HEAD, DELETE" })
  })
})
