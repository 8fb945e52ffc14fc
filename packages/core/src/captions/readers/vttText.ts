import { NO_TIME, readVttStamp } from "../timestamps.js"
import { decodeReferences } from "./characterReferences.js"
import type { Piece } from "./stampedWords.js"
import { tidyLines } from "./tidyLines.js"

/** What one voice says in a cue. */
export interface Voice {
  readonly speaker: string | null
  readonly lines: ReadonlyArray<string>
  /** Empty when the cue has no time stamps inside. */
  readonly pieces: ReadonlyArray<Piece>
}

const WHITE_SPACE_RUN = /[\t\n\f\r ]+/g
const NAME_END = /[\t\n\f .]/
const SPACE = /[\t\n\f ]/

/** Collects the text of the voices of a cue while the tags go by. */
class VoiceCollector {
  readonly voices: Array<Voice> = []
  #speaker: string | null = null
  #text = ""
  #pieces: Array<Piece> = []
  #stamp = NO_TIME
  #line = 0

  text(text: string): void {
    this.#text += text
    const lines = text.split("\n")
    lines.forEach((line, index) => {
      if (index > 0) this.#line++
      if (line !== "") this.#pieces.push({ line: this.#line, start: this.#stamp, text: line })
    })
  }

  /** A stamp that runs backwards or leaves the cue says nothing about the words. */
  stamp(time: number, cue: { readonly start: number; readonly end: number }): void {
    if (time >= Math.max(this.#stamp, cue.start) && time <= cue.end) this.#stamp = time
  }

  speaker(name: string | null): void {
    if (name === this.#speaker) return
    this.finish()
    this.#speaker = name
  }

  finish(): void {
    const kept = tidyLines(this.#text)
    if (kept.length > 0)
      this.voices.push({
        speaker: this.#speaker,
        lines: kept,
        pieces: this.#stamp === NO_TIME ? [] : onKeptLines(this.#pieces, this.#text),
      })
    this.#text = ""
    this.#pieces = []
    this.#line = 0
  }
}

/** Pieces count lines as the text has them; lines without text are not kept, so the numbers move up. */
const onKeptLines = (pieces: ReadonlyArray<Piece>, text: string): ReadonlyArray<Piece> => {
  let kept = 0
  const places = text.split("\n").map((line) => (line.trim() === "" ? -1 : kept++))
  return pieces.flatMap((piece) => {
    const line = places[piece.line] ?? -1
    return line < 0 ? [] : [{ ...piece, line }]
  })
}

const annotationOf = (tag: string): string | null => {
  const space = tag.search(SPACE)
  if (space < 0) return null
  const name = decodeReferences(tag.slice(space + 1))
    .replace(WHITE_SPACE_RUN, " ")
    .trim()
  return name === "" ? null : name
}

/** Cue text as the WebVTT standard cuts it into tags and text: tags go, their content stays, references are decoded. */
export const readCueText = (
  payload: string,
  cue: { readonly start: number; readonly end: number },
): ReadonlyArray<Voice> => {
  const collector = new VoiceCollector()
  const open: Array<string> = []
  let at = 0
  while (at < payload.length) {
    let tagStart = payload.indexOf("<", at)
    if (tagStart < 0) tagStart = payload.length
    if (tagStart > at) collector.text(decodeReferences(payload.slice(at, tagStart)))
    if (tagStart === payload.length) break
    let tagEnd = payload.indexOf(">", tagStart)
    if (tagEnd < 0) tagEnd = payload.length
    const tag = payload.slice(tagStart + 1, tagEnd)
    at = tagEnd + 1
    const first = tag.charCodeAt(0)
    if (first >= 48 && first <= 57) {
      const cursor = { at: 0 }
      const time = readVttStamp(tag, cursor)
      if (time !== NO_TIME && cursor.at === tag.length) collector.stamp(time, cue)
    } else if (first === 47) {
      if (open.at(-1) !== tag.slice(1)) continue
      open.pop()
      if (tag === "/v") collector.speaker(null)
    } else {
      const name = tag.split(NAME_END, 1)[0] ?? ""
      if (!KNOWN_TAGS.has(name)) continue
      open.push(name)
      if (name === "v") collector.speaker(annotationOf(tag))
    }
  }
  collector.finish()
  return collector.voices
}

const KNOWN_TAGS = new Set(["c", "i", "b", "u", "v", "ruby", "rt", "lang"])
