import type { Cue } from "../../transcripts/Transcript.js"

/** What the writers of cue formats print. */
export interface CueSheet {
  /** Read once, in order. */
  readonly cues: Iterable<Cue>
  readonly language: string | null
  readonly title: string | null
  /** Every name that occurs, in order of first appearance. */
  readonly speakers: ReadonlyArray<string>
  /** In a voice tag where the format has one; as a prefix that the writer adds; or already inside the lines. */
  readonly speakerAs: "voice" | "prefix" | "text"
  readonly wordLevel: boolean
  /** Where the transcript comes from; shown by formats that have comments. */
  readonly note: string | null
}

/** How a format prints a sheet. One writer prints one sheet once: it may count and remember. */
export interface CueWriter {
  readonly head: string
  readonly cues: Iterable<Cue>
  /** Empty for a cue without text. */
  readonly cue: (cue: Cue) => string
  readonly tail: () => string
}
