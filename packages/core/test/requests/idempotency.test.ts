import { canonicalJson, fingerprint, parseIdempotencyKey } from "@earmark/core/requests"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Either, FastCheck } from "effect"

describe("the key", () => {
  it.each([
    ["a", "a"],
    ["8e03978e-40d5-43e8-bc93-6894a57f9324", "8e03978e-40d5-43e8-bc93-6894a57f9324"],
    ['"quoted"', "quoted"],
    [' "quoted" ', "quoted"],
    ['""', undefined],
    ['"', '"'],
    ['"a', '"a'],
    ['""a""', '"a"'],
    ["~!{}", "~!{}"],
    ["", undefined],
    [" ", undefined],
    ["a b", undefined],
    ["a\tb", undefined],
    ["a\nb", undefined],
    ["ä", undefined],
    ["\x7f", undefined],
    ["\0", undefined],
    ["a".repeat(255), "a".repeat(255)],
    [`"${"a".repeat(255)}"`, "a".repeat(255)],
    ["a".repeat(256), undefined],
  ])("%j", (header, key) => {
    const parsed = parseIdempotencyKey(header)
    assert.strictEqual(Either.isRight(parsed) ? String(parsed.right) : undefined, key)
  })

  it("is refused when it has ten million letters", () => {
    assert.isTrue(Either.isLeft(parseIdempotencyKey("a".repeat(10_000_000))))
  })
})

describe("the fingerprint", () => {
  it("is a known one", () => {
    assert.strictEqual(
      canonicalJson(["POST", "/transcriptions", { b: [1, { d: null, c: "é" }], a: undefined, "": -0 }]),
      '["POST","/transcriptions",{"":0,"b":[1,{"c":"é","d":null}]}]',
    )
    assert.strictEqual(
      fingerprint("post", "/transcriptions", { url: "https://a.example" }),
      "43200ded4c6a04bc5772d3508ee0962136fc4bbac1d1086af99e82f8353223fb",
    )
  })

  it("differs with method, route, names, values, kinds and order in lists", () => {
    const different = [
      fingerprint("POST", "/a", {}),
      fingerprint("PUT", "/a", {}),
      fingerprint("POST", "/b", {}),
      fingerprint("POST", "/a", { a: 1 }),
      fingerprint("POST", "/a", { a: "1" }),
      fingerprint("POST", "/a", { a: true }),
      fingerprint("POST", "/a", { a: null }),
      fingerprint("POST", "/a", { a: [1, 2] }),
      fingerprint("POST", "/a", { a: [2, 1] }),
      fingerprint("POST", "/a", { a: [[1], 2] }),
      fingerprint("POST", "/a", { b: { a: 1 } }),
      fingerprint("POST", "/a", []),
      fingerprint("POST", "/a", undefined),
    ]
    assert.strictEqual(new Set(different).size, different.length)
  })

  it("knows times by what they say", () => {
    const at = (text: string) => fingerprint("POST", "/keys", { at: DateTime.unsafeMake(text) })
    assert.strictEqual(at("2026-01-31T08:00:00Z"), at("2026-01-31T09:00:00+01:00"))
    assert.notStrictEqual(at("2026-01-31T08:00:00Z"), at("2026-01-31T08:00:01Z"))
  })

  const shuffled = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map(shuffled)
    const members = Object.entries(value).reverse()
    return Object.fromEntries(members.map(([name, member]) => [name, shuffled(member)]))
  }

  it.prop("does not see the order of fields", { body: FastCheck.jsonValue() }, ({ body }) => {
    assert.strictEqual(fingerprint("POST", "/a", shuffled(body)), fingerprint("POST", "/a", body))
  })

  it.prop("canonical JSON says the same as JSON", { body: FastCheck.jsonValue() }, ({ body }) => {
    assert.deepStrictEqual(JSON.parse(canonicalJson(body)), JSON.parse(JSON.stringify(body)))
  })
})
