import { cleanText } from "../../text/cleanText.js"
import { joinUnits } from "../../text/units.js"
import type { Cue, Word } from "../../transcripts/Transcript.js"

/** All but ASCII characters that mean nothing in any caption format. */
const ODD = /[^ !"#$%'-;=?-z|}~]/
const SPACE = 32

/** Whether a line is clean and no format has to escape anything in it, as in nearly all. A line or a book: it is quick. */
export const isPlain = (line: string): boolean =>
  line !== "" &&
  line.charCodeAt(0) !== SPACE &&
  line.charCodeAt(line.length - 1) !== SPACE &&
  !ODD.test(line) &&
  !line.includes("--") &&
  !line.includes("  ")

const isClean = (line: string): boolean => isPlain(line) || (line !== "" && cleanText(line) === line)

/** The lines of a cue, safe and without empty ones. */
export const cleanLines = (cue: Cue): ReadonlyArray<string> =>
  cue.lines.every(isClean) ? cue.lines : cue.lines.map(cleanText).filter((clean) => clean !== "")

/** The lines of a cue as text, each made safe for the format; null when it has none. */
export const safeText = (cue: Cue, safe: (clean: string) => string): string | null => {
  const { lines } = cue
  let text: string | null = null
  for (let index = 0; index < lines.length; index++) {
    let line = lines[index] ?? ""
    if (!isPlain(line)) {
      const clean = cleanText(line)
      if (clean === "") continue
      line = safe(clean)
    }
    text = text === null ? line : `${text}\n${line}`
  }
  return text
}

/** Whether all of these have one speaker. */
export const areAllBy = (cues: ReadonlyArray<Cue>, speaker: string | null): boolean => {
  for (let index = 0; index < cues.length; index++) if (cues[index]?.speaker !== speaker) return false
  return true
}

/** Remembers who spoke last, to name a speaker only where another begins. */
export class SpeakerChange {
  #last: string | null = null

  get last(): string | null {
    return this.#last
  }

  /** `Name: ` when this speaker is not the one before; empty otherwise. */
  prefix(speaker: string | null): string {
    if (speaker === this.#last) return ""
    this.#last = speaker
    const name = speaker === null ? "" : cleanText(speaker)
    return name === "" ? "" : `${name}: `
  }
}

/** One cue for each word, for formats that show words by showing cues. */
export function* wordCues(cues: Iterable<Cue>): Generator<Cue> {
  for (const cue of cues) {
    if (cue.words.length === 0) yield cue
    for (const word of cue.words)
      yield { start: word.start, end: word.end, speaker: cue.speaker, lines: [word.text], words: [word] }
  }
}

/** The text of a cue on one line. */
export const cueText = (cue: Cue): string => joinUnits(cleanLines(cue))

/** A stretch of a line, and the word that begins with it; null when it only goes on. */
export interface WordPart {
  readonly text: string
  readonly word: Word | null
}

const isSpace = (text: string, at: number): boolean =>
  text.charCodeAt(at) <= 32 || text[at] === "\u3000" || text[at] === "\u00a0"

/**
 * The lines cut where words begin; null when lines and words do not tell the same text. White space is passed over on
 * both sides, so it does not matter where lines end, nor whether a word was cut in two.
 */
export const lineParts = (
  lines: ReadonlyArray<string>,
  words: ReadonlyArray<Word>,
): ReadonlyArray<ReadonlyArray<WordPart>> | null => {
  let index = 0
  let offset = 0
  const cut: Array<ReadonlyArray<WordPart>> = []
  for (const line of lines) {
    const parts: Array<WordPart> = []
    let from = 0
    let begun: Word | null = null
    for (let at = 0; at < line.length; at++) {
      if (isSpace(line, at)) continue
      while (words[index] !== undefined && (words[index]?.text.length ?? 0) <= offset) {
        index++
        offset = 0
      }
      const word = words[index]
      if (word === undefined) return null
      while (isSpace(word.text, offset) && offset < word.text.length) offset++
      if (word.text[offset] !== line[at]) return null
      if (offset === 0) {
        if (at > from) parts.push({ text: line.slice(from, at), word: begun })
        from = at
        begun = word
      }
      offset++
    }
    parts.push({ text: line.slice(from), word: begun })
    cut.push(parts)
  }
  return cut
}
