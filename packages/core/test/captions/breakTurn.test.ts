import { type CaptionProfile, captionProfile } from "@earmark/core/captions"
import type { Word } from "@earmark/core/transcripts"
import { seededRandom, sentences } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { breakTurn, cueCost } from "../../src/captions/breakTurn.js"
import type { TurnUnits } from "../../src/captions/TurnUnits.js"
import { unitsOf } from "./turnUnits.js"

/** The cost of the best of all ways to cut, each of them tried. */
const leastOfAll = (units: TurnUnits, next: number, profile: CaptionProfile, from = 0): number => {
  if (from === units.count) return 0
  let least = Number.POSITIVE_INFINITY
  for (let to = from + 1; to <= units.count; to++) {
    const cost = cueCost(units, from, to, next, profile)
    if (cost < least) least = Math.min(least, cost + leastOfAll(units, next, profile, to))
  }
  return least
}

const stream = sentences(200, seededRandom(3)).join(" ").split(" ")

const turns = FastCheck.record({
  first: FastCheck.nat(stream.length - 20),
  beats: FastCheck.array(
    FastCheck.tuple(FastCheck.integer({ min: 0, max: 900 }), FastCheck.integer({ min: -200, max: 600 })),
    {
      minLength: 1,
      maxLength: 13,
      size: "max",
    },
  ),
  name: FastCheck.constantFrom(...(["standard", "netflix"] as const)),
  maxLines: FastCheck.constantFrom(1, 2, 3),
  maxCharsPerLine: FastCheck.constantFrom(12, 18, 30),
  wait: FastCheck.integer({ min: 1, max: 3_000 }),
})

it.prop(
  "finds the best of all ways to cut a turn",
  [turns],
  ([{ first, beats, name, maxLines, maxCharsPerLine, wait }]) => {
    const profile = captionProfile(name, { language: "en", maxLines, maxCharsPerLine })
    let clock = 0
    const words = beats.map(([length, pause], index): Word => {
      const start = clock
      clock += length + pause
      return {
        text: stream[first + index] ?? "",
        start,
        end: start + length,
        confidence: null,
        speaker: null,
      }
    })
    const units = unitsOf(words, profile)
    const next = (units.starts[units.count - 1] ?? 0) + wait
    const cost = breakTurn(units, next, profile).reduce(
      (sum, { from, to }) => sum + cueCost(units, from, to, next, profile),
      0,
    )
    assert.closeTo(cost, leastOfAll(units, next, profile), 1e-6)
  },
)

describe("the cost of a cue", () => {
  const profile = captionProfile("standard", { language: "en" })
  const spoken = (text: string, each: number): ReadonlyArray<Word> =>
    text.split(" ").map((word, index) => {
      return { text: word, start: index * each, end: (index + 1) * each, confidence: null, speaker: null }
    })
  const costOf = (text: string, each: number, next: number, to?: number) => {
    const units = unitsOf(spoken(text, each), profile)
    return cueCost(units, 0, to ?? units.count, next, profile)
  }
  const ENDLESS = Number.POSITIVE_INFINITY
  const TURN_END = 1 + 2.2 * 0.4

  const cases: ReadonlyArray<readonly [string, number, number]> = [
    ["nothing but itself for a sentence", costOf("One two three four.", 500, ENDLESS), 1],
    ["the place where it ends", costOf("one two three four", 500, ENDLESS), TURN_END],
    [
      "a speed above the aim",
      costOf("eighteen letter text", 1_000 / 3 + 40, 1_120),
      TURN_END + 0.35 * ((20_000 / 1_120 - 17) / 3) ** 2 + (0.6 * 280) / 566,
    ],
    [
      "too high a speed and too short a time",
      costOf("Hi there everyone", 500 / 3, 500),
      TURN_END + 0.35 * (17 / 3) ** 2 + 4 + 0.5 * 14 + 3 + 5 * (1 - 500 / 834),
    ],
    ["a hurried moment", costOf("Well done.", 500, 1_000), 1 + (0.6 * 400) / 566],
    ["a small part of a longer turn", costOf("one two three four", 700, ENDLESS, 2), 1 + 2.2 + 1.2],
    ["a whole sentence, however small", costOf("Oh no. I see that now.", 700, ENDLESS, 2), 1],
    ["a sentence end inside", costOf("Oh no. I see that now.", 700, ENDLESS), 1 + 1.2],
  ]
  for (const [name, cost, expected] of cases) it(name, () => assert.closeTo(cost, expected, 0.01))

  it("is infinite for more than the lines hold, or for more than seven seconds", () => {
    assert.strictEqual(costOf("word ".repeat(18).trim(), 300, ENDLESS), Number.POSITIVE_INFINITY)
    assert.strictEqual(costOf("one two three", 2_400, ENDLESS), Number.POSITIVE_INFINITY)
    assert.isBelow(costOf("one", 240_000, ENDLESS), 100)
  })
})
