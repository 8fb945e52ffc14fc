/** Files share a process, and with it every module: what a module keeps for the tests of one file is let go here, not with `afterAll`. */
const ends: Array<() => unknown> = []

/** Does `end` after each file, for as long as the process lives. For modules alone: a test file has `afterAll`. */
export const atEndOfFile = (end: () => unknown): void => void ends.push(end)

/** The last one first. */
export const endFile = async (): Promise<void> => {
  for (const end of ends.toReversed()) await end()
}
