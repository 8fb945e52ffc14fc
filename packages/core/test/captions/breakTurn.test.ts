import { type CaptionProfile, captionProfile } from "@earmark/core/captions"
import { repairWords, type Word } from "@earmark/core/transcripts"
import { seededRandom, sentences } from "@earmark/testkit"
import { assert, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { breakTurn, cueCost } from "../../src/captions/breakTurn.js"
import { gatherUnits } from "../../src/captions/gatherUnits.js"
import { emptyUnits, type TurnUnits } from "../../src/captions/TurnUnits.js"
import { traitsReader } from "../../src/captions/traits.js"
import { weighBoundaries } from "../../src/captions/weighBoundaries.js"

const unitsOf = (words: ReadonlyArray<Word>, profile: CaptionProfile): TurnUnits => {
  const units = emptyUnits()
  const gathering = { traitsOf: traitsReader("en"), language: "en", columns: profile.maxCharsPerLine }
  gatherUnits(units, { words, from: 0, to: words.length }, 0, gathering)
  weighBoundaries(units)
  return units
}

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
    const units = unitsOf(repairWords(words), profile)
    const next = (units.starts[units.count - 1] ?? 0) + wait
    const cost = breakTurn(units, next, profile).reduce(
      (sum, { from, to }) => sum + cueCost(units, from, to, next, profile),
      0,
    )
    assert.closeTo(cost, leastOfAll(units, next, profile), 1e-6)
  },
)
