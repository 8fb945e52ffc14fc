import { buildCues, captionProfile } from "@earmark/core/captions"
import { wordStream } from "@earmark/testkit"
import { type Outcome, race, sized } from "../harness.js"
import { judge } from "./allOk.js"
import { greedy42 } from "./greedy42.js"

const ROUNDS = 9
const MOST_MILLISECONDS = 150
const LEAST_ALL_OK = 95

/** Ten hours of talk into cues: how fast, and how good. */
export const cueOutcomes = (): ReadonlyArray<Outcome> => {
  const count = { words: sized(90_000, 2000) }
  const words = wordStream(count)
  const monologue = wordStream({ ...count, speakers: 1, unpunctuated: 1 })
  const standard = captionProfile("standard", { language: "en" })
  const times = race(
    {
      standard: () => buildCues(words, { profile: standard }),
      monologue: () => buildCues(monologue, { profile: standard }),
      greedy42: () => greedy42(words),
    },
    ROUNDS,
  )
  const rival = { rival: times.greedy42, rivalName: "greedy42" }
  const speeds: ReadonlyArray<Outcome> = [
    { name: "ms, 90,000 words", ours: times.standard, most: MOST_MILLISECONDS },
    { name: "ms, one speaker without punctuation", ours: times.monologue, most: 2 * MOST_MILLISECONDS },
  ].map(({ name, ours, most }) => ({
    ...rival,
    bench: `cues: ${name}`,
    ours,
    ratio: ours / times.greedy42,
    bar: `<= ${most} ms`,
    pass: ours <= most,
  }))
  const packed = judge(greedy42(words), 42)
  const qualities = (["standard", "podcast", "netflix"] as const).flatMap((name): ReadonlyArray<Outcome> => {
    const profile = captionProfile(name, { language: "en" })
    const ours = judge(buildCues(words, { profile }), profile.maxCharsPerLine)
    const faults = ours.overlaps + ours.twoSpeakers
    const least = name === "standard" ? LEAST_ALL_OK : 0
    return [
      {
        bench: `cues: % all ok, ${name} (${ours.cues} cues)`,
        ours: ours.allOk,
        rival: packed.allOk,
        rivalName: "greedy42",
        ratio: ours.allOk / packed.allOk,
        bar: least === 0 ? "better than the rival" : `>= ${least} %`,
        pass: ours.allOk >= Math.max(least, packed.allOk),
      },
      {
        bench: `cues: overlaps and two speakers, ${name}`,
        ours: faults,
        rival: packed.overlaps + packed.twoSpeakers,
        rivalName: "greedy42",
        ratio: null,
        bar: "0",
        pass: faults === 0,
      },
    ]
  })
  return [...speeds, ...qualities]
}
