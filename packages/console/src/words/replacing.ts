import { plural } from "./plural.js"

/** Replacing what was found in a transcript. */
export const replacing = {
  by: "Replace with",
  all: "Replace all",
  done: (lines: number) => `Saved. Replaced in ${plural(lines, "line", "lines")}.`,
  nothing: "No line would change. A line cannot be empty.",
}
