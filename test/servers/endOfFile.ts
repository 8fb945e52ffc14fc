/** What modules keep for the tests of a file: files share a process, and the next one starts anew. */
const ends: Array<() => unknown> = []

/** Calls `end` after the last test of this file. */
export const atEndOfFile = (end: () => unknown): void => void ends.push(end)

/** Ends everything, the newest first. */
export const endFile = async (): Promise<void> => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
}
