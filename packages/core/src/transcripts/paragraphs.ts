import { endsSentence } from "../text/sentences.js"
import { joinUnits } from "../text/units.js"
import type { Segment } from "./Transcript.js"

/** What people read as one block: one speaker, no long silence inside. */
export interface Paragraph {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly text: string
  /** What the text is joined of: segments, or words. */
  readonly pieces: ReadonlyArray<Pick<Segment, "start" | "text">>
  /** Whether another speaker begins here. */
  readonly isTurn: boolean
}

/** Milliseconds of silence that begin a new paragraph. */
const SILENCE = 2000
/** A paragraph this long ends at the next sentence end, and at the latest at twice this. */
const CHARACTERS = 800

const hasSilence = ({ words }: Segment): boolean =>
  words.some((word, index) => word.start - (words[index - 1]?.end ?? word.start) >= SILENCE)

type Piece = Pick<Segment, "start" | "end" | "speaker" | "text">

/** Segments are set whole; a long one, or one with a silence inside, word by word. */
function* piecesOf(segments: Iterable<Segment>, byWord: boolean): Generator<Piece> {
  for (const segment of segments) {
    const isSplit = byWord || segment.text === "" || segment.text.length > CHARACTERS || hasSilence(segment)
    if (segment.words.length > 0 && isSplit) {
      for (const word of segment.words)
        yield word.speaker === null ? { ...word, speaker: segment.speaker } : word
    } else if (segment.text !== "") yield segment
  }
}

/**
 * Paragraphs of a transcript, one by one: everything that is said, once and in order. One begins, too, at each of
 * `breaks`: times in milliseconds that ascend, such as those of chapters. With `byWord`, every timed word is a piece.
 */
export function* paragraphsOf(
  segments: Iterable<Segment>,
  breaks: ReadonlyArray<number> = [],
  { byWord = false }: { readonly byWord?: boolean } = {},
): Generator<Paragraph> {
  let passed = 0
  let pieces: Array<Piece> = []
  let characters = 0
  let open: Omit<Paragraph, "text" | "pieces"> | undefined
  const textOf = (all: ReadonlyArray<Piece>) => joinUnits(all.map(({ text }) => text))
  for (const piece of piecesOf(segments, byWord)) {
    const known = passed
    while (passed < breaks.length && (breaks[passed] ?? 0) <= piece.start) passed++
    const isTurn: boolean = open?.speaker !== piece.speaker
    const isSilent: boolean = open !== undefined && piece.start - open.end >= SILENCE
    const isFull =
      (characters >= CHARACTERS && endsSentence(pieces.at(-1)?.text ?? "")) ||
      characters + piece.text.length > 2 * CHARACTERS
    if (open === undefined || isTurn || isSilent || isFull || passed > known) {
      if (open !== undefined) yield { ...open, text: textOf(pieces), pieces }
      open = { start: piece.start, end: piece.end, speaker: piece.speaker, isTurn }
      pieces = []
      characters = 0
    } else if (piece.end > open.end) open = { ...open, end: piece.end }
    pieces.push(piece)
    characters += piece.text.length + 1
  }
  if (open !== undefined) yield { ...open, text: textOf(pieces), pieces }
}
