/** What was corrected in this page, and what the page does not show of it yet. */
import type { DoneTranscription, EditTranscription } from "@earmark/api/client"
import { useRef } from "preact/hooks"
import type { Draft } from "./drafts.js"
import { type Made, moved, movedOperation, movesBetween } from "./moves.js"
import { cleaned } from "./operations.js"

export interface Own extends Made {
  /** How many lines there were. */
  readonly lines: number
  revision: number
  /** Of a line whose text was changed, split or joined; with what was typed since. */
  draft: Draft | null
  /**
   * The part of its line in which one goes on typing, until the page shows how that was split or joined: as it was, and as it
   * is.
   */
  more: { readonly from: string; readonly text: string } | null
}

export const revisionOf = (job: DoneTranscription): number => job.revision ?? 0

export const useMade = (job: DoneTranscription) => {
  /** The page as it is now, also for what was begun before. */
  const shown = useRef(job)
  shown.current = job
  /** In the order in which they are saved. */
  const made = useRef<ReadonlyArray<Own>>([])
  /** What the service answered last. */
  const saved = useRef({ revision: 0, lines: 0 })

  const unseen = () => made.current.filter(({ revision }) => revision > revisionOf(shown.current))

  /** The number on the page of a line that had another at a revision. */
  const movedSince = (line: number, revision: number): number =>
    moved(line, movesBetween(made.current, revision, revisionOf(shown.current)))

  /** What a line of the page says with the corrections that are on their way. */
  const saying = (line: number, says: string): string =>
    unseen().reduce(
      (now, { draft, known }) =>
        draft?.before === now && movedSince(draft.line, known) === line ? cleaned(draft.text) : now,
      says,
    )

  /** The lines with the corrections that are on their way. */
  const linesNow = (): DoneTranscription["segments"] => {
    const { segments } = shown.current
    if (unseen().length === 0) return segments
    return segments.map((each, line) => ({ ...each, text: saying(line, each.text) }))
  }

  const requestOf = ({ operations, known, lines }: Own): EditTranscription => {
    const { current } = saved
    const since = movesBetween(
      made.current.filter(({ revision }) => revision <= current.revision),
      known,
    )
    // Where more was split or joined than is known here, the numbers of lines are others: the service refuses.
    const isOwn = current.revision > known && current.lines === since.reduce((sum, { by }) => sum + by, lines)
    return {
      base_revision: isOwn ? current.revision : known,
      operations: operations.map((each) => movedOperation(each, isOwn ? since : [])),
    }
  }

  return { shown, made, saved, unseen, movedSince, saying, linesNow, requestOf }
}

export type Corrections = ReturnType<typeof useMade>
