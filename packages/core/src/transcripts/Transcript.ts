/** The model of a transcript, under the name by which everything but `text` knows it: `text` knows nothing of transcripts. */
export type { Cue, Segment, Transcript, Word } from "../text/Transcript.js"
