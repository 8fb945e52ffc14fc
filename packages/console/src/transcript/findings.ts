/** What may be wrong in a transcript, in the order of the recording. */
import type { DoneTranscription } from "@earmark/api/client"
import { percentOf } from "../format.js"
import { plural } from "../words/plural.js"

type Integrity = NonNullable<DoneTranscription["integrity"]>

export interface Finding {
  readonly kind: "gap" | "repeat" | "doubt" | "low"
  readonly start: number
  readonly end: number
  readonly detail: string
}

export const findingsOf = ({
  gaps,
  repeats,
  doubts = [],
  low_confidence,
}: Integrity): ReadonlyArray<Finding> =>
  [
    ...gaps.map((gap) => ({ ...gap, kind: "gap" as const, detail: "" })),
    ...repeats.map(({ start, end, count, text: said }) => ({
      kind: "repeat" as const,
      start,
      end,
      detail: `“${said}” ${plural(count, "time", "times")}`,
    })),
    ...doubts.map(({ start, end, reason }) => ({
      kind: "doubt" as const,
      start,
      end,
      detail: reason.replaceAll("_", " "),
    })),
    ...low_confidence.map(({ start, end, confidence }) => ({
      kind: "low" as const,
      start,
      end,
      detail: percentOf(confidence),
    })),
  ].toSorted((one, other) => one.start - other.start)

/** Playing begins so long before a finding: what leads to it is heard. */
const LEAD = 2

/** Where to play from to hear the next finding after a moment; the first one when there is none after it. */
export const beforeNext = (findings: ReadonlyArray<Finding>, seconds: number): number | null => {
  const next = findings.find(({ start }) => start - LEAD > seconds + 0.5) ?? findings[0]
  return next === undefined ? null : Math.max(0, next.start - LEAD)
}
