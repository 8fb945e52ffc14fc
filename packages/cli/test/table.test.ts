import { assert, describe, it } from "@effect/vitest"
import { tableOf } from "../src/table.js"

const title = `${"a".repeat(120)}${"b".repeat(134)}`

const columns = [
  { head: "id", cell: (row: { readonly id: string }) => row.id },
  { head: "title", cell: () => title, canBeCut: true },
  { head: "source", cell: ({ id }: { readonly id: string }) => `/talks/${id}.mp3`, canBeCut: true },
]

describe("a table", () => {
  it("is as wide as the terminal at most, by cutting what can be cut in its middle", () => {
    const lines = tableOf(columns, [{ id: "tr_1" }, { id: "tr_2" }], 80).split("\n")
    for (const line of lines) assert.isAtMost(line.length, 80)
    assert.strictEqual(lines[1]?.length, 80)
    assert.match(lines[1] ?? "", /^tr_1 {2}a+…b+ {2}\/talks\/tr_1\.mp3$/)
  })

  it("is whole where no terminal is", () => {
    assert.include(tableOf(columns, [{ id: "tr_1" }], Number.POSITIVE_INFINITY), title)
  })
})
