export { applyEdits } from "./applyEdits.js"
export { changedLines } from "./changedLines.js"
export { distinctNames } from "./distinctNames.js"
export { EditableRefused } from "./EditableRefused.js"
export {
  type EditOperation,
  LONGEST_LINE,
  LONGEST_SPEAKER,
  MOST_OPERATIONS,
  MOST_REVISIONS,
  MOST_WORK,
} from "./EditOperation.js"
export { EditRefused } from "./EditRefused.js"
export { estimatedWords } from "./estimatedWords.js"
export { readEdited } from "./readEdited.js"
export { newestTranscript, nextTranscript, type Revision, replayRevisions } from "./revisions.js"
export { speakersByLabel } from "./speakersByLabel.js"
export { type EditableBase, editableBaseOf, writeEditable } from "./writeEditable.js"
