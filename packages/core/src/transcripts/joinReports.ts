import { type IntegrityReport, integrityFlags } from "./integrity.js"
import { type Span, sortedByStart, united } from "./spans.js"

const sumOf = (numbers: ReadonlyArray<number | null>): number | null =>
  numbers.every((each) => each !== null) ? numbers.reduce<number>((sum, each) => sum + (each ?? 0), 0) : null

const inMilliseconds = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds * 1000)

const inOrder = <Place extends Span>(
  reports: ReadonlyArray<IntegrityReport>,
  placesOf: (report: IntegrityReport) => ReadonlyArray<Place>,
): ReadonlyArray<Place> => sortedByStart(reports.flatMap(placesOf))

/**
 * One report of several channels that were each judged by itself. Speech is that of all of them, also where two talk at once; a gap of any
 * is a gap, and a flag of any is raised.
 */
export const joinReports = (reports: ReadonlyArray<IntegrityReport>): IntegrityReport => {
  const speech = sumOf(reports.map(({ speechSeconds }) => inMilliseconds(speechSeconds)))
  const transcribed = sumOf(reports.map(({ transcribedSeconds }) => inMilliseconds(transcribedSeconds)))
  const share = (all: number, covered: number) => (all === 0 ? 1 : Math.round((1000 * covered) / all) / 1000)
  return {
    speechSeconds: speech === null ? null : speech / 1000,
    transcribedSeconds: transcribed === null ? null : transcribed / 1000,
    coverage: speech === null || transcribed === null ? null : share(speech, transcribed),
    gaps: united(reports.flatMap(({ gaps }) => gaps)),
    repeats: inOrder(reports, ({ repeats }) => repeats),
    doubts: inOrder(reports, ({ doubts }) => doubts),
    lowConfidence: inOrder(reports, ({ lowConfidence }) => lowConfidence),
    flags: integrityFlags.filter((flag) => reports.some(({ flags }) => flags.includes(flag))),
  }
}
