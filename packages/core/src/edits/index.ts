export { applyEdits } from "./applyEdits.js"
export { type EditOperation, LONGEST_LINE, LONGEST_SPEAKER, MOST_OPERATIONS } from "./EditOperation.js"
export { EditRefused } from "./EditRefused.js"
export { type Revision, replayRevisions } from "./revisions.js"
