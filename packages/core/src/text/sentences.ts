import { CLOSERS, SENTENCE_ENDS, SPACED_SENTENCE_ENDS, UNSPACED_SENTENCE_ENDS } from "./punctuation.js"
import type { Segment } from "./Transcript.js"
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
  /** False when it is a part of something too long for one sentence. */
  readonly isWhole: boolean
}

const LONGEST = 400
/** Where nothing marks sentence ends, a segment end after so many characters is one. */
const LONG_ENOUGH = 120
/** A silence that no sentence goes on after, in milliseconds. */
const PAUSE = 2000

const END = new RegExp(
  `(?<![${SPACED_SENTENCE_ENDS}])[${SPACED_SENTENCE_ENDS}]+[${CLOSERS}]*(?=\\s|$)|[${UNSPACED_SENTENCE_ENDS}]+[${CLOSERS}]*`,
  "gu",
)
const ENDED = new RegExp(`[${SENTENCE_ENDS}][${CLOSERS}]*$`, "u")
/**
 * A point after these is not the end of a sentence, whatever the language: initials and the commonest short forms.
 * More of them only hold where the language is known (see the word lists of captions).
 */
const SHORT_FORM = /(?:^|[\s(])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|z\.B|bzw|Mme)\.$/u
/** After these it is one, but not before a number. */
const BEFORE_NUMBER = /(?:^|[\s(])(?:No|Nr|Vol|Fig)\.$/u
const NUMBER_NEXT = /(?<!\s)\s*\p{N}/uy

const WORD = /[\p{L}\p{N}]/u
/** As much of the end of a text as shows whether it is a sentence end. */
const TAIL = 16

/** Whether a text ends where a sentence may end. */
export const endsSentence = (text: string): boolean => {
  const tail = text.slice(-TAIL)
  return ENDED.test(tail) && !SHORT_FORM.test(tail)
}

const isNumbered = (text: string, end: number): boolean => {
  NUMBER_NEXT.lastIndex = end
  return BEFORE_NUMBER.test(text.slice(Math.max(0, end - TAIL), end)) && NUMBER_NEXT.test(text)
}

/** Cuts a text after its sentence ends. The pieces put side by side are the text. */
export const splitSentences = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let from = 0
  let read = 0
  let hasWord = false
  const cut = (to: number) => {
    for (const slice of slicesOf(text.slice(from, to), LONGEST)) pieces.push(slice)
    from = to
    hasWord = false
  }
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length
    // Marks alone are no sentence: they go with the next one.
    hasWord ||= WORD.test(text.slice(read, end))
    read = end
    if (hasWord && endsSentence(text.slice(Math.max(from, end - TAIL), end)) && !isNumbered(text, end))
      cut(end)
  }
  cut(text.length)
  return pieces
}

/** Speech recognition without punctuation, and scripts that use none, give far fewer ends than this. */
const isPunctuated = (segments: ReadonlyArray<Segment>) => {
  let characters = 0
  let ends = 0
  for (const { text } of segments) {
    characters += text.length
    ends += text.match(END)?.length ?? 0
  }
  return ends * LONGEST >= characters
}

/** The sentences of a transcript in reading order; one may begin in one segment and end in the next of the same speaker. */
export const sentencesOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Sentence> => {
  const longest = isPunctuated(segments) ? LONGEST : LONG_ENOUGH
  const sentences: Array<Sentence> = []
  let parts: Array<string> = []
  let characters = 0
  let open: Omit<Sentence, "text"> | undefined
  /** Whether the next words go on with a sentence that was cut for its length. */
  let isCut = false

  const close = (isEnd: boolean) => {
    if (open !== undefined)
      sentences.push({ ...open, isWhole: open.isWhole && isEnd, text: joinUnits(parts) })
    parts = []
    characters = 0
    open = undefined
    isCut = !isEnd
  }
  for (const [index, segment] of segments.entries()) {
    if (open !== undefined && (open.speaker !== segment.speaker || segment.start - open.end >= PAUSE))
      close(true)
    // Time runs evenly over the characters of a segment: near enough to find the place.
    const perCharacter = (segment.end - segment.start) / Math.max(1, segment.text.length)
    let at = 0
    let opensSegment = true
    for (const piece of splitSentences(segment.text)) {
      const start = Math.round(segment.start + at * perCharacter)
      at += piece.length
      const end = Math.round(segment.start + at * perCharacter)
      const text = piece.trim()
      if (text === "") continue
      if (characters + text.length > LONGEST) close(false)
      open = open
        ? { ...open, end }
        : { start, end, speaker: segment.speaker, segment: index, opensSegment, isWhole: !isCut }
      opensSegment = false
      parts.push(text)
      characters += text.length
      if (endsSentence(text)) close(true)
    }
    if (characters >= longest) close(false)
  }
  close(true)
  return sentences
}
