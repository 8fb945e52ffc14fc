import { assert, describe, it } from "@effect/vitest"
import { inOneGo } from "../../src/audio/steps.js"
import { joinAlike, type VoiceCount } from "../../src/speakers/joinAlike.js"

/** A voice at a place on a line, and how long it speaks. */
interface Voice {
  readonly place: number
  readonly seconds: number
}

const ENOUGH = 3
const APART = 10

const kinship = {
  distance: (one: Voice, other: Voice) => Math.abs(one.place - other.place) - APART,
  join: (one: Voice, other: Voice): Voice => {
    const seconds = one.seconds + other.seconds
    return { place: (one.place * one.seconds + other.place * other.seconds) / seconds, seconds }
  },
  isSpeaker: ({ seconds }: Voice) => seconds >= ENOUGH,
}

const joined = (voices: ReadonlyArray<readonly [place: number, seconds: number]>, count: VoiceCount) =>
  inOneGo(
    joinAlike(
      voices.map(([place, seconds]) => ({ place, seconds })),
      count,
      kinship,
    ),
  ).map(({ members }) => members)

const anyNumber = { least: 1, most: Number.POSITIVE_INFINITY }

describe("joining voices that are alike", () => {
  it("ends when those that are left are distinct", () => {
    const voices = [
      [0, 2],
      [1, 2],
      [30, 2],
      [32, 2],
    ] as const
    assert.deepStrictEqual(joined(voices, anyNumber), [
      [0, 1],
      [2, 3],
    ])
  })

  it("ends earlier where more speakers were asked for, and a moment of noise is not one of them", () => {
    const voices = [
      [0, 2],
      [1, 2],
      [5, 2],
      [6, 2],
      [90, 1],
    ] as const
    assert.deepStrictEqual(joined(voices, { least: 2, most: 2 }), [[0, 1], [2, 3], [4]])
  })

  it("comes as near to the number as what is said allows", () => {
    const voices = [
      [0, 2],
      [1, 2],
      [5, 2],
      [6, 2],
      [90, 1],
    ] as const
    assert.deepStrictEqual(joined(voices, { least: 4, most: 4 }), [[0, 1], [2, 3], [4]])
  })

  it("goes on where fewer speakers were asked for", () => {
    const voices = [
      [0, 4],
      [20, 4],
      [50, 4],
      [900, 1],
    ] as const
    assert.deepStrictEqual(joined(voices, { least: 1, most: 2 }), [[0, 1], [2], [3]])
  })

  it("of nothing is nothing, and of what says too little joins what is alike", () => {
    assert.deepStrictEqual(joined([], anyNumber), [])
    assert.deepStrictEqual(joined([[0, 1]], anyNumber), [[0]])
    assert.deepStrictEqual(
      joined(
        [
          [0, 1],
          [1, 1],
          [70, 1],
        ],
        { least: 0, most: 9 },
      ),
      [[0, 1], [2]],
    )
  })
})
