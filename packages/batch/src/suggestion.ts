import { nearestName } from "@earmark/core/text"

/** ` Did you mean x?`, or nothing. */
export const suggestion = (given: string, known: ReadonlyArray<string>): string => {
  const name = nearestName(given, known)
  return name === undefined ? "" : ` Did you mean ${name}?`
}
