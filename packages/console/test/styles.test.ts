/** Rules of the styles that would make long transcripts slow. */
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"

const folder = new URL("../src/styles/", import.meta.url)

/** Each is about few elements. Anything else that is inserted makes the browser look at them again, so none is added lightly. */
const ALLOWED = [
  ".check:has(:disabled)",
  ".differences p:has(ins)",
  ".prose:has(.differences)",
  ".reading:has(.sheet)",
  "h2:has(+ .filters)",
  "main:has(.sheet) .player.none",
]

/** The selectors of a style sheet, each one of a list by itself. */
const selectorsOf = (css: string): ReadonlyArray<string> =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .split(/[{};]/)
    // Not between those within brackets.
    .flatMap((each) => each.split(/,(?![^(]*\))/))
    .map((each) => each.trim().replace(/\s+/g, " "))

describe("the styles of the console", () => {
  it("look into no more elements (`:has()`) than are listed: lines that are inserted would wait for it", () => {
    const sheets = readdirSync(folder).filter((name) => name.endsWith(".css"))
    const found = sheets.flatMap((name) =>
      selectorsOf(readFileSync(new URL(name, folder), "utf8")).filter((each) => each.includes(":has(")),
    )
    assert.isAbove(sheets.length, 5)
    assert.deepStrictEqual(found.toSorted(), ALLOWED)
  })
})
