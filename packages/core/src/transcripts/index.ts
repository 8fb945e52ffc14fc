export type { Cue, Segment, Transcript, Word } from "./Transcript.js"
