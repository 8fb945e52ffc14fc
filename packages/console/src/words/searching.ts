/** The words of the search over all transcripts. */
import { plural } from "./plural.js"

export const searchingWords = {
  title: "Search",
  text: "Finds lines that contain every word, in all your transcripts.",
  field: "Words to find",
  speaker: "Speaker",
  anySpeaker: "Any speaker",
  submit: "Search",
  total: (count: number, isExact: boolean) =>
    `${isExact ? "" : "At least "}${plural(count, "line", "lines")}`,
  none: "No line contains all of these words",
  noneText: "Try fewer words, or another form of them.",
  start: "What was said, and where?",
  startText: "Type some words. Put quotation marks around a phrase.",
} as const
