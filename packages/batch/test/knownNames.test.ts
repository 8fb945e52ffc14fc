import { assert, describe, it } from "@effect/vitest"
import { knownNames } from "../src/work/knownNames.js"

const lines = [{ speaker: "Speaker 1" }, { speaker: "Speaker 2" }, { speaker: null }]

describe("names that are given to speakers", () => {
  it.each([
    ["by label", { "Speaker 1": "Ann" }, { "Speaker 1": "Ann" }, []],
    [
      "by the name that is shown",
      { Guest: "Ann", Host: null },
      { "Speaker 1": "Ann", "Speaker 2": null },
      [],
    ],
    ["in part", { "Speaker 2": "Bob", Nobody: "Ann" }, { "Speaker 2": "Bob" }, ["Nobody"]],
  ] as const)("%s", (_, asked, names, missing) => {
    const shown = { "Speaker 1": "Guest", "Speaker 2": "Host" }
    assert.deepStrictEqual(knownNames(asked, lines, shown), { names, missing })
  })
})
