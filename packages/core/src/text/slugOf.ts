import { trimEndOf } from "./trimEndOf.js"

const LONGEST_NAME = 80

/** A title as the name of a file: letters and digits of any script, and dashes. Empty for a title without any. */
export const slugOf = (title: string): string =>
  trimEndOf(
    title
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
      .replace(/^-+/, "")
      .slice(0, LONGEST_NAME)
      // Half a character has no place in a header.
      .replace(/[\ud800-\udbff]$/, ""),
    "-",
  )
