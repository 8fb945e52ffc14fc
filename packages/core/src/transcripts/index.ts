export { repairWords } from "./repairWords.js"
export { spreadWords } from "./spreadWords.js"
export type { Cue, Segment, Transcript, Word } from "./Transcript.js"
