import { equalInSteadyTime } from "./digests.js"

/** Whether two byte strings are equal, in a time that depends on their lengths only. */
export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && equalInSteadyTime(left, right)

/** Whether one of the candidates equals one of the expected values. Looks at all pairs, whatever matched before. */
export const anyEqual = (
  expected: ReadonlyArray<Uint8Array>,
  candidates: ReadonlyArray<Uint8Array>,
): boolean => {
  let matched = false
  for (const value of expected) {
    for (const candidate of candidates) {
      if (equalBytes(value, candidate)) matched = true
    }
  }
  return matched
}
