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
