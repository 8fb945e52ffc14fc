import { endsSentence } from "../text/sentences.js"
import { joinUnits } from "../text/units.js"
import type { Segment } from "./Transcript.js"

/** What is set as one block of text: one speaker, no long silence inside. */
export interface Paragraph {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly text: string
  readonly segments: ReadonlyArray<Segment>
}

/** Milliseconds of silence that begin a new paragraph. */
const SILENCE = 2000
/** A paragraph this long ends at the next sentence end, and at the latest at twice this. */
const CHARACTERS = 800

const paragraphOf = (segments: ReadonlyArray<Segment>): Paragraph => ({
  start: segments[0]?.start ?? 0,
  end: segments.reduce((latest, { end }) => Math.max(latest, end), 0),
  speaker: segments[0]?.speaker ?? null,
  text: joinUnits(segments.map(({ text }) => text)),
  segments,
})

/** Paragraphs of a transcript: every segment once, in order. */
export const paragraphsOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Paragraph> => {
  const paragraphs: Array<Paragraph> = []
  let open: Array<Segment> = []
  let characters = 0
  for (const segment of segments) {
    const last = open.at(-1)
    const isLong = characters >= CHARACTERS && last !== undefined && endsSentence(last.text)
    const begins =
      last !== undefined &&
      (last.speaker !== segment.speaker ||
        segment.start - last.end >= SILENCE ||
        isLong ||
        characters + segment.text.length > 2 * CHARACTERS)
    if (begins) {
      paragraphs.push(paragraphOf(open))
      open = []
      characters = 0
    }
    open.push(segment)
    characters += segment.text.length
  }
  if (open.length > 0) paragraphs.push(paragraphOf(open))
  return paragraphs
}
