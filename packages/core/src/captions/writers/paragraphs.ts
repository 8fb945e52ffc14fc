import { cleanText } from "../../text/cleanText.js"
import { joinUnits } from "../../text/units.js"
import type { Segment } from "../../transcripts/Transcript.js"
import type { Chapter } from "./ExportDocument.js"
import type { Script } from "./Script.js"

/** What people read as one block: one speaker, no long silence inside. */
export interface Paragraph {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly text: string
  /** Whether another speaker begins here. */
  readonly isTurn: boolean
  /** The titles of the chapters that begin here. */
  readonly chapters: ReadonlyArray<Chapter>
}

const LONG_SILENCE = 2000
const LONG_TEXT = 800
/** A text without sentence ends is cut somewhere, too. */
const LONGEST_TEXT = 4 * LONG_TEXT
const SENTENCE_END = /[.?!…。！？؟।۔]["'”’»)\]」』）]*$/u

interface Spoken {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly text: string
}

/** Segments are read whole; a long one, or one with a silence inside, word by word. */
function* spoken(segments: Iterable<Segment>): Generator<Spoken> {
  for (const segment of segments) {
    const isLong = segment.text.length > LONG_TEXT || hasSilence(segment)
    if (segment.words.length > 0 && (isLong || segment.text === "")) yield* segment.words
    else if (segment.text !== "") yield segment
  }
}

const hasSilence = ({ words }: Segment): boolean =>
  words.some((word, index) => word.start - (words[index - 1]?.end ?? word.start) >= LONG_SILENCE)

/** The transcript as paragraphs, one by one; all chapters come out, also those where nothing is said. */
export function* paragraphsOf(script: Script): Generator<Paragraph> {
  const chapters = [...script.chapters].sort((left, right) => left.start - right.start)
  let chapter = 0
  const chaptersUntil = (time: number): ReadonlyArray<Chapter> => {
    const first = chapter
    while (chapter < chapters.length && (chapters[chapter]?.start ?? 0) <= time) chapter++
    return chapters.slice(first, chapter)
  }
  let texts: Array<string> = []
  let open: Omit<Paragraph, "text"> | null = null
  let length = 0
  const closed = (paragraph: Omit<Paragraph, "text">): Paragraph => ({ ...paragraph, text: joinUnits(texts) })

  for (const piece of spoken(script.segments)) {
    const begun: ReadonlyArray<Chapter> = chaptersUntil(piece.start)
    const isTurn: boolean = open === null || open.speaker !== piece.speaker
    const isFull = (length >= LONG_TEXT && SENTENCE_END.test(texts.at(-1) ?? "")) || length >= LONGEST_TEXT
    const isSilent: boolean = open !== null && piece.start - open.end >= LONG_SILENCE
    if (open === null || isTurn || isFull || isSilent || begun.length > 0) {
      if (open !== null) yield closed(open)
      const { start, end, speaker } = piece
      open = { start, end, speaker, isTurn, chapters: begun }
      texts = []
      length = 0
    }
    open = { ...open, end: Math.max(open.end, piece.end) }
    texts.push(piece.text)
    length += piece.text.length + 1
  }
  if (open !== null) yield closed(open)
  const rest = chaptersUntil(Number.POSITIVE_INFINITY)
  const end = script.duration
  if (rest.length > 0) yield { start: end, end, speaker: null, text: "", isTurn: false, chapters: rest }
}

/** The title of a chapter on one line. */
export const chapterTitle = (chapter: Chapter): string => cleanText(chapter.title)

/** The paragraphs of a summary, each on one line. */
export const summaryLines = (script: Script): ReadonlyArray<string> =>
  (script.summary ?? "")
    .split(/\n+/)
    .map(cleanText)
    .filter((line) => line !== "")
