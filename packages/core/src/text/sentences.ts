import type { Segment } from "../transcripts/Transcript.js"
import { joinUnits } from "./units.js"
import { slicesOf } from "./words.js"

/** A sentence of a transcript, or as much of a speaker's words as can pass for one where nothing marks the end. */
export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  /** Index of the segment it begins in. */
  readonly segment: number
  /** Whether it begins where that segment begins. */
  readonly opensSegment: boolean
}

const LONGEST = 400
/** Where nothing marks sentence ends, a segment end after so many characters is one. */
const LONG_ENOUGH = 120
/** A silence that no sentence goes on after, in milliseconds. */
const PAUSE = 2000

const CLOSING = "[\"'”’»)\\]」』）】]*"
const END = new RegExp(`[.!?…؟۔।॥]+${CLOSING}(?=\\s|$)|[。！？｡]+${CLOSING}`, "gu")
const ENDED = new RegExp(`[.!?…؟۔।॥。！？｡]${CLOSING}$`, "u")
/** A point after these is not the end of a sentence: initials and the commonest short forms. */
const SHORT_FORM =
  /(?:^|[\s(])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|No|etc|e\.g|i\.e|z\.B|bzw|Nr|M|Mme)\.$/u

/** Whether a text ends where a sentence may end. */
export const endsSentence = (text: string): boolean => {
  const tail = text.slice(-16)
  return ENDED.test(tail) && !SHORT_FORM.test(tail)
}

/** Cuts a text after its sentence ends. The pieces put side by side are the text. */
export const splitSentences = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let from = 0
  const cut = (to: number) => {
    for (const slice of slicesOf(text.slice(from, to), LONGEST)) pieces.push(slice)
    from = to
  }
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length
    if (endsSentence(text.slice(Math.max(from, end - 16), end))) cut(end)
  }
  cut(text.length)
  return pieces
}

/** The sentences of a transcript in reading order; one may begin in one segment and end in the next of the same speaker. */
export const sentencesOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Sentence> => {
  const sentences: Array<Sentence> = []
  let parts: Array<string> = []
  let characters = 0
  let open: Omit<Sentence, "text"> | undefined

  const close = () => {
    if (open !== undefined) sentences.push({ ...open, text: joinUnits(parts) })
    parts = []
    characters = 0
    open = undefined
  }
  for (const [index, segment] of segments.entries()) {
    if (open !== undefined && (open.speaker !== segment.speaker || segment.start - open.end >= PAUSE)) close()
    // Time runs evenly over the characters of a segment: near enough to find the place.
    const perCharacter = (segment.end - segment.start) / Math.max(1, segment.text.length)
    let at = 0
    for (const piece of splitSentences(segment.text)) {
      const start = Math.round(segment.start + at * perCharacter)
      const opensSegment = at === 0
      at += piece.length
      const end = Math.round(segment.start + at * perCharacter)
      const text = piece.trim()
      if (text === "") continue
      if (characters + text.length > LONGEST) close()
      open = open ? { ...open, end } : { start, end, speaker: segment.speaker, segment: index, opensSegment }
      parts.push(text)
      characters += text.length
      if (endsSentence(text)) close()
    }
    if (characters >= LONG_ENOUGH) close()
  }
  close()
  return sentences
}
