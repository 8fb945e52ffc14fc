import { assert, describe, it } from "@effect/vitest"
import { replacements } from "../src/editing/replacements.js"

const lines = ["Ann met ann.", "Nobody.", "Ann"].map((text) => ({ text }))
const found = [
  {
    line: 0,
    ranges: [
      [0, 3],
      [8, 11],
    ],
  },
  { line: 2, ranges: [[0, 3]] },
] as const

describe("replacing what was found", () => {
  it("changes every match of a line, whatever is put in, and leaves no line empty", () => {
    assert.deepStrictEqual(replacements(lines, found, { query: "ann", by: "<b>$&</b>" }), [
      { type: "text", line: 0, text: "<b>$&</b> met <b>$&</b>." },
      { type: "text", line: 2, text: "<b>$&</b>" },
    ])
    assert.deepStrictEqual(replacements(lines, found, { query: "ann", by: "" }), [
      { type: "text", line: 0, text: "met ." },
    ])
    assert.deepStrictEqual(replacements(lines, [], { query: "x", by: "y" }), [])
  })

  it("takes words of a phrase that stand side by side for one match", () => {
    const phrase = [
      {
        line: 0,
        ranges: [
          [0, 3],
          [4, 8],
        ],
      },
    ] as const
    const text = (query: string) => replacements([{ text: "New York, yes" }], phrase, { query, by: "Rome" })
    assert.deepStrictEqual(text("new york"), [{ type: "text", line: 0, text: "Rome, yes" }])
  })

  it("changes 1000 lines at most", () => {
    const many = Array.from({ length: 1200 }, () => ({ text: "a" }))
    const all = many.map((_, line) => ({ line, ranges: [[0, 1]] as const }))
    assert.lengthOf(replacements(many, all, { query: "a", by: "b" }), 1000)
  })
})
