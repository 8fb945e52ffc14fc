import { assert, describe, it } from "@effect/vitest"
import { addressOf, placeOf } from "../src/addresses.js"
import { labelAt } from "../src/editing/operations.js"
import { Cast, lineAt, voicesOf } from "../src/transcript/lines.js"

const line = (start: number, speaker: string | null = null) => ({ start, end: start + 2, speaker, text: "x" })

describe("lineAt", () => {
  const lines = [line(1), line(3), line(3), line(9)]
  for (const [seconds, index] of [
    [0, 0],
    [1, 0],
    [2.9, 0],
    [3, 2],
    [8, 2],
    [9, 3],
    [100, 3],
  ] as const)
    it(`${seconds} s is line ${index}`, () => assert.strictEqual(lineAt(lines, seconds), index))

  it("is 0 where there are no lines", () => assert.strictEqual(lineAt([], 5), 0))
})

describe("voicesOf", () => {
  it("counts time, in the order in which people first speak", () => {
    const found = new Cast().of([line(0, "B"), line(2, "A"), line(4, "B"), line(6)])
    assert.deepStrictEqual(found, [
      { label: "B", place: 1, colour: 1, share: 0.5 },
      { label: "A", place: 2, colour: 2, share: 0.25 },
    ])
  })

  it("begins again with the first colour after eight", () => {
    const found = new Cast().of(Array.from({ length: 9 }, (_, index) => line(index, `Speaker ${index}`)))
    assert.strictEqual(found.at(-1)?.colour, 1)
  })

  it("keeps the digit and the colour of a speaker when a correction changes who speaks first", () => {
    const places = (id: string, ...speakers: ReadonlyArray<string>) =>
      voicesOf({ id, segments: speakers.map((speaker, at) => line(at, speaker)) }).map(
        ({ label, place, colour }) => `${label} ${place} ${colour}`,
      )
    assert.deepStrictEqual(places("one", "A", "B"), ["A 1 1", "B 2 2"])
    assert.deepStrictEqual(places("one", "B", "A"), ["A 1 1", "B 2 2"])
    assert.deepStrictEqual(places("one", "New", "B"), ["B 2 2", "New 3 3"])
    assert.deepStrictEqual(places("one", "New", "B", "A"), ["A 1 1", "B 2 2", "New 3 3"])
    const segments = [line(0, "New"), line(1, "B")]
    assert.deepStrictEqual(
      [1, 2, 3, 4].map((place) => labelAt({ id: "one", segments }, place)),
      [null, "B", "New", null],
    )
    // Another transcript that is opened has an order of its own.
    assert.deepStrictEqual(places("two", "B", "A"), ["B 1 1", "A 2 2"])
  })
})

describe("addresses", () => {
  it("lead back to their page, whatever the values are", () => {
    const params = { id: "we/1?x=#", delivery: "Ä %2F" }
    const place = placeOf(addressOf("delivery", params))
    assert.deepStrictEqual(place, { name: "delivery", params })
  })

  it("leave out what is not given", () => {
    assert.strictEqual(
      addressOf("search", {}, { q: "a b", speaker: "", page: null }),
      "/console/search?q=a+b",
    )
  })

  for (const path of ["/console/nowhere", "/", "/console/t", "/console/webhooks/a/b/c"])
    it(`${path} is no page`, () => assert.isNull(placeOf(path)))
})
