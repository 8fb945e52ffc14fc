/** The words of the history of a transcript. */
import type { EditRevision } from "@earmark/api/client"
import { plural } from "./plural.js"

type Change = NonNullable<EditRevision["changes"]>[number]

/** People count lines from 1. */
const changeOf = ({ type, line: index }: Change): string => {
  const line = (index ?? 0) + 1
  switch (type) {
    case "split":
      return `line ${line} split`
    case "merge":
      return `lines ${line} and ${line + 1} joined`
    case "remove":
      return `line ${line} removed`
    case "rename_speaker":
      return "a speaker renamed"
    case "merge_speakers":
      return "two speakers joined"
    default:
      return `line ${line}: ${type}`
  }
}

/** As many changes are named; the others are counted. */
const NAMED = 3

export const historyWords = {
  never: "No corrections yet",
  neverText:
    "Choose a line of the text, then Edit this line. Every correction of the text is listed here. Names of speakers are not.",
  revision: "Revision",
  made: "Made",
  by: "By",
  session: "in the console",
  changes: "Changes",
  changesOf: (operations: number, changes: ReadonlyArray<Change> = []) => {
    const named = changes.slice(0, NAMED).map(changeOf)
    const more = operations - named.length
    if (named.length === 0) return plural(more, "change", "changes")
    return more === 0 ? named.join(", ") : `${named.join(", ")} and ${more} more`
  },
  undoOf: (revision: number) => `undo of ${revision}`,
  undo: "Undo",
  isUndone: "undone",
  show: "Show",
  hide: "Hide",
  backTo: "Back to here",
  backToFirst: "Back to the first text",
  undoneMany: (count: number) => `${plural(count, "correction is", "corrections are")} undone.`,
  isBack: (revision: number) => `Correction ${revision} is back.`,
  asAfter: (revision: number) =>
    revision === 0
      ? "The text is as it was at first again."
      : `The text is as it was after correction ${revision} again.`,
  compare: "Compare with the first text",
  differencesOf: (revision: number) => `Changes of revision ${revision}`,
  differencesAll: "All changes since the transcription",
  added: "Added",
  removed: "Removed",
  same: "Nothing is different",
  moreDifferences: (count: number) => `${plural(count, "more place", "more places")} are not shown.`,
}
