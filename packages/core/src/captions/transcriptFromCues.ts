import { joinUnits } from "../text/units.js"
import type { Cue, Segment, Transcript } from "../transcripts/Transcript.js"

const segmentOf = (cue: Cue): Segment => ({
  start: cue.start,
  end: Math.max(cue.start, cue.end),
  speaker: cue.speaker,
  text: joinUnits(cue.lines),
  words: cue.words,
})

/** Voices that share the time of one cue speak one after the other, as long as their text is. */
const inTurn = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const characters = segments.reduce((sum, segment) => sum + segment.text.length, 0)
  let passed = 0
  return segments.map((segment) => {
    const duration = segment.end - segment.start
    const moment = () => segment.start + Math.round((duration * passed) / characters)
    const start = moment()
    passed += segment.text.length
    return segment.words.length > 0 ? segment : { ...segment, start, end: moment() }
  })
}

/** A transcript made of captions: a segment for each cue that has text, in the order of their times. */
export const transcriptFromCues = (
  cues: ReadonlyArray<Cue>,
  facts: { readonly language?: string | null; readonly duration?: number } = {},
): Transcript => {
  const ordered = cues
    .map(segmentOf)
    .filter((segment) => segment.text !== "")
    .sort((left, right) => left.start - right.start)
  const segments: Array<Segment> = []
  for (let from = 0; from < ordered.length; ) {
    const first = ordered[from]
    let to = from + 1
    while (to < ordered.length && ordered[to]?.start === first?.start && ordered[to]?.end === first?.end) to++
    const together = ordered.slice(from, to)
    segments.push(...(together.length > 1 ? inTurn(together) : together))
    from = to
  }
  const end = segments.reduce((latest, segment) => Math.max(latest, segment.end), 0)
  return { language: facts.language ?? null, duration: facts.duration ?? end, segments }
}
