import type { Cue } from "@earmark/core/transcripts"

/** What a human checker would mark, written without a look at the cue builder. */
const LEANING = new Set(
  "a an the my your his her its our their this these those of in on at to for with by from into is are was were be been am has have had will would can could should may might must not and or but i you he she it we they".split(
    " ",
  ),
)

const leans = (word: string) =>
  !/[.!?,;:]$/.test(word) && LEANING.has(word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, ""))

const lastWord = (line: string) => line.split(" ").at(-1) ?? ""

export interface Quality {
  /** Per cent of cues without a fault: fit, speed, time on screen, line and cue ends, one speaker, no overlap. */
  readonly allOk: number
  readonly cues: number
  readonly overlaps: number
  readonly twoSpeakers: number
}

/** Judges cues of one-cell text. */
export const judge = (cues: ReadonlyArray<Cue>, columns: number): Quality => {
  let good = 0
  let overlaps = 0
  let twoSpeakers = 0
  cues.forEach((cue, index) => {
    const next = cues[index + 1]
    const shown = cue.end - cue.start
    const fits = cue.lines.length <= 2 && cue.lines.every((line) => line.length <= columns)
    const speed = shown > 0 ? (cue.lines.join(" ").length * 1000) / shown : Number.POSITIVE_INFINITY
    const goesOn = next !== undefined && next.words[0]?.speaker === cue.words.at(-1)?.speaker
    const leaning = cue.lines.some(
      (line, at) => (at + 1 < cue.lines.length || goesOn) && leans(lastWord(line)),
    )
    const overlap = next !== undefined && next.start < cue.end
    const mixed = cue.words.some((word) => word.speaker !== cue.words[0]?.speaker)
    if (overlap) overlaps++
    if (mixed) twoSpeakers++
    if (fits && speed <= 20.01 && shown >= 833 && shown <= 7000 && !leaning && !overlap && !mixed) good++
  })
  return { allOk: (100 * good) / cues.length, cues: cues.length, overlaps, twoSpeakers }
}
