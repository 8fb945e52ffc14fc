import type { Segment } from "../transcripts/Transcript.js"
import { foldedLines, placesOfTerm } from "./passages.js"
import { termsOf } from "./terms.js"

/** Which of several things something holds. */
export interface Holds {
  readonly held: ReadonlyArray<boolean>
}

/** Those that hold anything: with the most and the rarest first. Of equals, the first that is given comes first. */
export const bestHolding = <Row extends Holds>(
  rows: ReadonlyArray<Row>,
  limit: number,
): ReadonlyArray<Row> => {
  const weights = (rows[0]?.held ?? []).map((_, at) => {
    const count = rows.reduce((sum, { held }) => sum + (held[at] === true ? 1 : 0), 0)
    return count === 0 ? 0 : Math.log(1 + rows.length / count)
  })
  const weightOf = ({ held }: Row): number =>
    held.reduce((sum, isHeld, at) => sum + (isHeld ? (weights[at] ?? 0) : 0), 0)
  return rows
    .map((row) => ({ row, weight: weightOf(row) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, limit)
    .map(({ row }) => row)
}

/** Which telling words of a question lines have, in any form. */
export const holdingFor = (
  question: string,
): ((segments: ReadonlyArray<Segment>) => ReadonlyArray<boolean>) => {
  const terms = termsOf(question)
  return (segments) => {
    const { whole } = foldedLines(segments)
    return terms.map((term) => placesOfTerm(whole, term).next().done !== true)
  }
}
