/** One change to a transcript. Lines are counted from 0, as the operations before it in the same list left them. */
export type EditOperation =
  | { readonly type: "text"; readonly line: number; readonly text: string }
  /** Cuts a line before the character `at` (in UTF-16 units of its text), between two words. */
  | { readonly type: "split"; readonly line: number; readonly at: number }
  /** Joins a line with the one after it. The speaker is that of the first. */
  | { readonly type: "merge"; readonly line: number }
  /** Takes a line away with its words. */
  | { readonly type: "remove"; readonly line: number }
  | { readonly type: "speaker"; readonly line: number; readonly speaker: string | null }
  /** Renames a speaker in every line. */
  | { readonly type: "rename_speaker"; readonly from: string; readonly to: string }
  /** Gives every line of one speaker to another. */
  | { readonly type: "merge_speakers"; readonly from: string; readonly into: string }
  /** Whole milliseconds from the start of the media. */
  | { readonly type: "times"; readonly line: number; readonly start: number; readonly end: number }

/** So many operations at most in one revision. */
export const MOST_OPERATIONS = 1000

/** So many revisions at most of one transcript. */
export const MOST_REVISIONS = 1000

/**
 * So much work at most in all revisions of one transcript, since each reader waits for it: the characters of texts that are replaced and
 * put in, and the lines that are gone through for a speaker or an undo.
 */
export const MOST_WORK = 2_000_000

/** So many characters at most in an edited line. */
export const LONGEST_LINE = 10_000

/** So many characters at most in the name of a speaker. */
export const LONGEST_SPEAKER = 100
