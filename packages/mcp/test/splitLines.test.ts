import { assert, describe, it } from "@effect/vitest"
import { splitLines } from "../src/stdio/splitLines.js"

const read = (most: number, chunks: ReadonlyArray<string>): ReadonlyArray<string | null> => {
  const lines: Array<string | null> = []
  const take = splitLines(
    most,
    (line) => lines.push(line.toString("utf8")),
    () => lines.push(null),
  )
  for (const chunk of chunks) take(Buffer.from(chunk))
  return lines
}

describe("splitLines", () => {
  it("finds whole lines wherever chunks end", () => {
    assert.deepStrictEqual(read(9, ["a", "b\nc\n\nd", "", "\nrest"]), ["ab", "c", "", "d"])
  })

  it("tells a line that is too long once, before it has ended, and goes on with the next one", () => {
    assert.deepStrictEqual(read(4, ["1234\n12345", "6789", "0\n12\n123", "45"]), ["1234", null, "12", null])
    assert.deepStrictEqual(read(4, ["12345\n67890\nab\n"]), [null, null, "ab"])
  })
})
