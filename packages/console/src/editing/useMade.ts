/** What was corrected in this page, and what the page does not show of it yet. */
import type { DoneTranscription, EditedTranscription, EditTranscription } from "@earmark/api/client"
import { useRef } from "preact/hooks"
import { earmark } from "../session.js"
import { moved, movedOperation, movesBetween, type Own } from "./moves.js"
import { cleaned } from "./operations.js"
import { useNewer } from "./useNewer.js"

export const revisionOf = (job: DoneTranscription): number => job.revision ?? 0

export const useMade = (job: DoneTranscription) => {
  /** The page as it is now, also for what was begun before. */
  const shown = useRef(job)
  shown.current = job
  /** In the order in which they are saved. */
  const made = useRef<ReadonlyArray<Own>>([])
  /** What the service answered last. */
  const saved = useRef({ revision: 0, lines: 0 })
  /** The newest revision that others may have made: what was begun before it is not made over it unseen. */
  const foreign = useRef(0)
  const isRead = (revision: number) => {
    if (revision > saved.current.revision) foreign.current = Math.max(foreign.current, revision)
  }
  isRead(revisionOf(job))

  useNewer(job.id, () => Math.max(revisionOf(shown.current), saved.current.revision))

  /** The service has made a change. */
  const took = (answer: EditedTranscription): void => {
    isRead(Math.max(answer.revision - 1, revisionOf(shown.current)))
    saved.current = answer
  }

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
    const isRemoved = made.current.some(
      ({ operations: [first], revision }) =>
        first?.type === "remove" &&
        revision > known &&
        revision <= current.revision &&
        operations.some((each) => "line" in each && each.line === first.line),
    )
    // Where more was split or joined than is known here, or the line is gone, the numbers of lines are others: the service refuses.
    const isOwn =
      !isRemoved &&
      current.revision > known &&
      known >= foreign.current &&
      current.lines === since.reduce((sum, { by }) => sum + by, lines)
    return {
      base_revision: isOwn ? current.revision : known,
      operations: operations.map((each) => movedOperation(each, isOwn ? since : [])),
    }
  }

  /**
   * Moves what was refused over what others have made. `"changed"` where they have changed a line that it is about, `"made"`
   * where the text has it already.
   */
  const rebase = async (own: Own): Promise<"moved" | "changed" | "made"> => {
    const [newest, later] = await Promise.all([
      earmark.transcriptions.get(job.id),
      // A newer version of the console is there: what was typed stays a draft.
      import("./rebase.js").catch(() => null),
    ])
    if (newest.status !== "done" || later === null) return "changed"
    const revision = revisionOf(newest)
    if (later.isMade(own, newest.segments)) {
      const { data } = await earmark.transcriptions.edits(job.id, { limit: 100 })
      own.revision = later.revisionMade(own, data, revision)
      isRead(revision)
      return "made"
    }
    if (!later.rebase(own, newest)) return "changed"
    isRead(own.known)
    return "moved"
  }

  return { shown, made, saved, took, rebase, unseen, movedSince, saying, linesNow, requestOf }
}

export type Corrections = ReturnType<typeof useMade>
