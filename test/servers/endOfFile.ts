import { Effect, Exit, Scope } from "effect"

/** What modules keep for the tests of a file: files share a process, and the next one starts anew. */
const ends: Array<() => unknown> = []

/** Calls `end` after the last test of this file. */
export const atEndOfFile = (end: () => unknown): void => void ends.push(end)

/** Ends everything, the newest first. */
export const endFile = async (): Promise<void> => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
}

/** A scope for the tests of a file, open from when it is first asked for. What was started for them is stopped when it has closed. */
export const makeFileScope = (stop: () => Promise<void>): (() => Scope.Scope) => {
  let scope: Scope.CloseableScope | undefined
  return () => {
    if (scope !== undefined) return scope
    const opened = Effect.runSync(Scope.make())
    scope = opened
    atEndOfFile(async () => {
      scope = undefined
      await Effect.runPromise(Scope.close(opened, Exit.void))
      await stop()
    })
    return opened
  }
}
