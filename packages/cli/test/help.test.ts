import { assert, describe, it } from "@effect/vitest"
import { whole } from "../src/commands/administration/tree.js"
import { type Found, helpText } from "../src/help.js"

const below = (found: Found): ReadonlyArray<Found> => [
  found,
  ...found.page.children.flatMap((page) => below({ path: [...found.path, page.name], page })),
]

describe("help", () => {
  it("keeps 80 columns on every page, examples included", () => {
    const pages = below({ path: ["earmark"], page: whole.root })
    assert.isAbove(pages.length, 40)
    const wide = pages.flatMap((found) =>
      helpText(found, "")
        .split("\n")
        .filter((line) => line.length > 80),
    )
    assert.deepStrictEqual(wide, [])
  })
})
