/** The words of the history of a transcript. */
import { plural } from "./plural.js"

export const historyWords = {
  never: "No corrections yet",
  neverText:
    "Choose a line of the text, then Edit this line. Every correction of the text is listed here. Names of speakers are not.",
  revision: "Revision",
  made: "Made",
  by: "By",
  session: "in the console",
  changes: "Changes",
  operations: (count: number) => plural(count, "change", "changes"),
  undoOf: (revision: number) => `undo of ${revision}`,
  undo: "Undo",
  isUndone: "undone",
  show: "Show",
  hide: "Hide",
  backTo: "Back to here",
  backToFirst: "Back to the first text",
  undoneMany: (count: number) => `${plural(count, "correction is", "corrections are")} undone.`,
  restoredMany: (count: number) => `${plural(count, "correction is", "corrections are")} back.`,
  compare: "Compare with the first text",
  differencesOf: (revision: number) => `Changes of revision ${revision}`,
  differencesAll: "All changes since the transcription",
  added: "Added",
  removed: "Removed",
  same: "Nothing is different",
  moreDifferences: (count: number) => `${plural(count, "more place", "more places")} are not shown.`,
}
