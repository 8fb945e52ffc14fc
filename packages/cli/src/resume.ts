/** Whether the words ask for nothing but to go on with the last run: `transcribe --resume`, with options that have no value beside it. */
export const isResume = (words: ReadonlyArray<string>): boolean =>
  words[0] === "transcribe" &&
  words.includes("--resume") &&
  words.slice(1).every((word) => word.startsWith("--"))
