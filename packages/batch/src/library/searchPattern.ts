/** Lines of the library that fit a regular expression of the user. */
import { runInNewContext } from "node:vm"
import type { SearchResults } from "@earmark/api/client"
import { Source, sourceLabel } from "@earmark/core/jobs"
import { momentIn } from "@earmark/core/text"
import { speakerName } from "@earmark/core/transcripts"
import type { Content, Searched } from "@earmark/service"
import { Effect, Schema } from "effect"
import { LibraryRefused } from "./LibraryRefused.js"

export interface PatternQuery {
  readonly pattern: string
  readonly speaker: string | undefined
  readonly feed: string | undefined
  readonly context: number
  readonly limit: number
}

type Hit = SearchResults["data"][number]
type Segment = Content["segments"][number]

const unusable = (reason: "pattern_invalid" | "pattern_too_slow", subject: string, detail: string) =>
  new LibraryRefused({ reason, subject, detail, message: `The pattern "${subject}": ${detail}` })

export const readPattern = (pattern: string): Effect.Effect<RegExp, LibraryRefused> =>
  Effect.try({
    try: () => new RegExp(pattern, "giu"),
    catch: (cause) =>
      unusable("pattern_invalid", pattern, `${cause instanceof Error ? cause.message : String(cause)}.`),
  })

/** A pattern may take time that doubles with each letter. */
const LONGEST_MILLISECONDS = 5000

const limited = <Answer>(pattern: RegExp, work: () => Answer): Effect.Effect<Answer, LibraryRefused> =>
  Effect.try({
    try: (): Answer =>
      runInNewContext("work()", { work }, { timeout: LONGEST_MILLISECONDS, breakOnSigint: true }),
    catch: () =>
      unusable(
        "pattern_too_slow",
        pattern.source,
        `took longer than ${LONGEST_MILLISECONDS / 1000} seconds on one transcript. Repeat fewer parts, such as a+ instead of (a+)+.`,
      ),
  })

const rangesIn = (text: string, pattern: RegExp): ReadonlyArray<readonly [number, number]> =>
  [...text.matchAll(pattern)]
    .map(({ index, 0: found }) => [index, index + found.length] as const)
    .filter(([from, to]) => to > from)

const secondsOf = (milliseconds: number): number => milliseconds / 1000

const encodeSource = Schema.encodeSync(Source)

/** The lines of one transcript that fit. */
export const linesThatFit = (
  job: Searched["job"],
  segments: ReadonlyArray<Segment>,
  pattern: RegExp,
  { speaker, context }: Pick<PatternQuery, "speaker" | "context">,
): Effect.Effect<ReadonlyArray<Hit>, LibraryRefused> => {
  const nameOf = (label: string | null) => (label === null ? null : speakerName(job.speakerNames, label))
  const lineOf = ({ start, end, speaker, text }: Segment) => ({
    start: secondsOf(start),
    end: secondsOf(end),
    speaker: nameOf(speaker),
    text,
  })
  const isMeant = (segment: Segment) =>
    speaker === undefined || segment.speaker === speaker || nameOf(segment.speaker) === speaker
  const { shown, label = sourceLabel(shown) } = job.source
  const from = { source: encodeSource(shown), source_label: label }
  const find = () => segments.map((each) => (isMeant(each) ? rangesIn(each.text, pattern) : []))
  return Effect.map(limited(pattern, find), (ranges) =>
    segments.flatMap((segment, index): ReadonlyArray<Hit> => {
      const highlights = ranges[index] ?? []
      const [first] = highlights
      if (first === undefined) return []
      return [
        {
          id: job.id,
          title: job.title,
          ...from,
          ...lineOf(segment),
          at: secondsOf(momentIn(segment, first[0])),
          highlights,
          before: segments.slice(Math.max(0, index - context), index).map(lineOf),
          after: segments.slice(index + 1, index + 1 + context).map(lineOf),
        },
      ]
    }),
  )
}
