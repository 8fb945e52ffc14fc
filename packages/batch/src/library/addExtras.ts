/** Extras of a finished entry: made of its newest text, and kept beside it. */
import type { Enrichment } from "@earmark/core/jobs"
import type { ExtrasRequest, TranscriptExtras } from "@earmark/core/wire"
import {
  type Content,
  type ExtraOutcome,
  type ExtraStaff,
  endedExtra,
  enrichmentAt,
  type MadeExtra,
  makeExtra,
  wantedExtras,
} from "@earmark/service"
import { Effect } from "effect"

/** How the extras of an entry fare, with those that were made later. */
export const withMade = (enrichment: Enrichment, made: ReadonlyArray<MadeExtra>): Enrichment =>
  made.reduce(
    (before, extra) => withEnd(before, { status: "done", made: extra, isIncomplete: false }, extra),
    enrichment,
  )

const withEnd = (
  enrichment: Enrichment,
  outcome: ExtraOutcome,
  name: Parameters<typeof endedExtra>[1],
): Enrichment => endedExtra({ enrichment, warnings: [] }, name, outcome).enrichment ?? enrichment

/** An entry as extras are made of it. */
interface Extended {
  readonly enrichment: Enrichment
  readonly translateTo: string | null
  readonly durationSeconds: number
  readonly content: Content
  readonly revision: number
}

/** Makes what is wanted. An extra that fails is told of, and is no failure of the others. */
export const makeExtras = Effect.fnUntraced(function* (
  { enrichment, translateTo, durationSeconds, content, revision }: Extended,
  request: ExtrasRequest,
  staff: ExtraStaff,
) {
  const job = { enrichment, options: { translateTo }, revision }
  const names = yield* wantedExtras(job, request, staff.translator)
  const { language, segments } = content
  const transcript = { language, segments, duration: durationSeconds * 1000 }
  const ends = yield* Effect.forEach(
    names,
    (name) => Effect.map(makeExtra(name, transcript, revision, staff), (outcome) => ({ name, outcome })),
    { concurrency: "unbounded" },
  )
  const answer: TranscriptExtras = {
    enrichment: enrichmentAt({
      ...job,
      enrichment: ends.reduce((before, { name, outcome }) => withEnd(before, outcome, name), enrichment),
    }),
  }
  const made = ends.flatMap(({ outcome }) => (outcome.status === "done" ? [outcome.made] : []))
  return { made, answer }
})
