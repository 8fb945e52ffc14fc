import type { Doubt } from "../transcripts/doubts.js"
import type { Cue, Word } from "../transcripts/Transcript.js"
import type { CaptionFormat } from "./captionFormats.js"

/** What a reader met and mended or left out. Codes never change their meaning. */
export interface Problem {
  /** Counted from 1; 0 where a line says nothing (JSON). */
  readonly line: number
  readonly code:
    | "bad_timing"
    | "bad_arrow"
    | "end_before_start"
    | "bad_block"
    | "bad_entry"
    | "not_utf8"
    | "truncated"
    | "too_many_problems"
}

/** A caption file, read: cues in the order of the file, with plain text. */
export interface CaptionFile {
  readonly format: CaptionFormat
  /** As the file states it, or null. */
  readonly language: string | null
  readonly cues: ReadonlyArray<Cue>
  /** Where the text may not be what was said, as the file tells it: exports of Earmark in JSON do. */
  readonly doubts?: ReadonlyArray<Doubt>
  /** At most the first thousand. */
  readonly problems: ReadonlyArray<Problem>
}

/** What a reader of one format gives back. */
export interface Reading {
  readonly cues: Array<Cue>
  readonly language: string | null
  readonly doubts?: ReadonlyArray<Doubt>
}

/** A turn is some milliseconds: so many blocks, lines or tags of a file. */
export const BLOCKS_IN_A_TURN = 2000

export const NO_WORDS: ReadonlyArray<Word> = []

const MAX_PROBLEMS = 1000

/** Collects problems by their place in the text; lines are counted once, at the end. */
export class Problems {
  readonly #text: string
  readonly #found: Array<Problem> = []
  #line = 1
  #counted = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Places must be reported in rising order. */
  add(code: Problem["code"], place?: number): void {
    if (this.#found.length > MAX_PROBLEMS) return
    if (this.#found.length === MAX_PROBLEMS) this.#found.push({ line: 0, code: "too_many_problems" })
    else this.#found.push({ line: place === undefined ? 0 : this.#lineAt(place), code })
  }

  get list(): ReadonlyArray<Problem> {
    return this.#found
  }

  #lineAt(place: number): number {
    for (;;) {
      const next = this.#text.indexOf("\n", this.#counted)
      if (next < 0 || next >= place) return this.#line
      this.#line++
      this.#counted = next + 1
    }
  }
}
