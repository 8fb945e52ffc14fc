import { captionProfile } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import { unitsOf } from "./turnUnits.js"

const profile = captionProfile("standard")

/** The boundary after the first unit of two, with a silence between them. */
const boundary = (
  left: string,
  right: string,
  options: { readonly silence?: number; readonly language?: string } = {},
) => {
  const { silence = 0, language = "en" } = options
  const words = [
    { text: left, start: 0, end: 500, confidence: null, speaker: null },
    { text: right, start: 500 + silence, end: 1_000 + silence, confidence: null, speaker: null },
  ]
  const units = unitsOf(words, profile, language)
  return { cost: units.boundaries[0] ?? -1, inside: units.inside[1] ?? -1 }
}

describe("how bad it is to break", () => {
  const cases: ReadonlyArray<readonly [string, string, number, string?]> = [
    ["went.", "She", 0],
    ["went?”", "She", 0],
    ["went…", "she", 0],
    ["Dr.", "Marsh", 1 + 2.4],
    ["J.", "Marsh", 1 + 0.8],
    ["I.", "Then", 0],
    ["no.", "Then", 0],
    ["no.", "5", 1 + 2.4],
    ["e.g.", "this", 1],
    ["thing:", "one", 0.15],
    ["thing;", "one", 0.15],
    ["thing —", "one", 0.15],
    ["well,", "one", 0.3],
    ["went", "because", 0.5],
    ["went", "into", 0.65],
    ["went", "home", 1],
    ["the", "home", 1 + 2.4],
    ["not", "into", 0.65 + 2.4],
    ["Anna", "Marsh", 1 + 0.8],
    ["20", "houses", 1 + 0.5],
    ["l’", "homme", 1 + 2.4, "fr"],
    ["3.", "Mai", 1 + 0.5, "de"],
    ["3.", "Mai", 0, "en"],
    ["the", "home", 1, "cs"],
    ["今日", "京都", 1, "ja"],
    ["今日", "は", 1 + 0.6, "ja"],
    ["今日。", "は", 0, "ja"],
    ["今日、", "は", 0.3, "ja"],
    ["نعم؟", "هذا", 0, "ar"],
    ["نعم،", "هذا", 0.3, "ar"],
    ["था।", "वहाँ", 0, "hi"],
  ]
  for (const [left, right, expected, language] of cases) {
    it(`${left} | ${right} (${language ?? "en"})`, () => {
      assert.closeTo(boundary(left, right, language === undefined ? {} : { language }).cost, expected, 1e-9)
    })
  }

  it("less so at a silence", () => {
    assert.closeTo(boundary("went", "home", { silence: 299 }).cost, 1, 1e-9)
    assert.closeTo(boundary("went", "home", { silence: 300 }).cost, 0.2 + 0.5, 1e-9)
    assert.closeTo(boundary("went", "home", { silence: 700 }).cost, 0.1 + 0.3, 1e-9)
    assert.closeTo(boundary("the", "home", { silence: 700 }).cost, 0.1 + 0.3 * 3.4, 1e-9)
    assert.closeTo(boundary("thing:", "one", { silence: 700 }).cost, 0.1 + 0.3 * 0.15, 1e-9)
    assert.strictEqual(boundary("went.", "She", { silence: 700 }).cost, 0)
  })

  it("most of all inside a word", () => {
    const word = { text: "x".repeat(60), start: 0, end: 900, confidence: null, speaker: null }
    assert.strictEqual(unitsOf([word], profile).boundaries[0], 4)
  })
})

it("says what it costs to keep a silence or the end of a sentence inside", () => {
  assert.strictEqual(boundary("went", "home", { silence: 400 }).inside, 0)
  assert.closeTo(boundary("went", "home", { silence: 500 }).inside, 0.9, 1e-9)
  assert.strictEqual(boundary("went", "home", { silence: 1_501 }).inside, 40)
  assert.closeTo(boundary("went.", "Home", { silence: 100 }).inside, 1.2, 1e-9)
})
