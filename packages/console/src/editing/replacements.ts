/** What is asked of the service to replace what was found. No document is touched here. */
import type { Line } from "../transcript/lines.js"
import type { Found } from "../transcript/TextView.js"
import { cleaned, type Operation } from "./operations.js"

/** A revision has no more operations. */
const MOST = 1000

/** One match for each range; words of a phrase that stand side by side are one. */
const matchesIn = (text: string, ranges: Found["ranges"], isPhrase: boolean): Found["ranges"] => {
  const matches: Array<readonly [number, number]> = []
  for (const [from, to] of ranges) {
    const last = matches.at(-1)
    if (isPhrase && last !== undefined && text.slice(last[1], from).trim() === "")
      matches[matches.length - 1] = [last[0], to]
    else matches.push([from, to])
  }
  return matches
}

/** The lines that change. Those that would be empty stay. */
export const replacements = (
  lines: ReadonlyArray<Pick<Line, "text">>,
  found: ReadonlyArray<Found>,
  { query, by }: { readonly query: string; readonly by: string },
): ReadonlyArray<Operation> =>
  found
    .flatMap(({ line, ranges }): ReadonlyArray<Operation> => {
      const before = lines[line]?.text ?? ""
      const matches = matchesIn(before, ranges, query.trim().includes(" "))
      const replaced = matches.reduceRight(
        (text, [from, to]) => text.slice(0, from) + by + text.slice(to),
        before,
      )
      const text = cleaned(replaced)
      return text === "" || text === before ? [] : [{ type: "text", line, text }]
    })
    .slice(0, MOST)
