import type { Cue } from "../../transcripts/Transcript.js"

/** What the writers of cue formats print. */
export interface CueSheet {
  /** Read once, in order. */
  readonly cues: Iterable<Cue>
  readonly language: string | null
  readonly title: string | null
  /** Every name that occurs, in order of first appearance. */
  readonly speakers: ReadonlyArray<string>
  /** How a voice is named where the format has a tag for it. Formats without one always put the name before the text. */
  readonly speakerAs: "voice" | "prefix"
  readonly wordLevel: boolean
  /** Where the transcript comes from; shown by formats that have comments. */
  readonly note: string | null
}
