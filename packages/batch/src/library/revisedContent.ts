/** What an entry says now: what was heard, with its revisions. */
import { EditRefused, newestTranscript } from "@earmark/core/edits"
import { type Content, correctedContent, type MadeExtra, withExtras } from "@earmark/service"
import { Either } from "effect"
import { editsOf, type StoredEdits, type StoredRevision } from "./editsFile.js"
import { contentPath } from "./entries.js"
import { extrasOf } from "./extrasFile.js"
import { unpack, unpackLines } from "./packed.js"

/** A content at one of its revisions. */
export interface Revised {
  readonly content: Content
  readonly revision: number
  /** The oldest first, also those after this revision. */
  readonly revisions: ReadonlyArray<StoredRevision>
  /** Whether the last change was not written to its end, and does not count. */
  readonly isTorn: boolean
  /** What was made of it after it was finished. */
  readonly extras: ReadonlyArray<MadeExtra>
}

/** The heard lines of an entry, and what was made of them since. */
interface Kept {
  readonly heard: Content
  readonly edits: Pick<StoredEdits, "duration" | "revisions" | "isTorn"> | null
  readonly extras: ReadonlyArray<MadeExtra>
}

/** Throws the refusal where there is no such revision, or where the file of revisions was changed by something else. */
const reviseContent = ({ heard, edits, extras }: Kept, wanted?: number): Revised => {
  const { duration = 0, revisions = [], isTorn = false } = edits ?? {}
  const revision = wanted ?? revisions.length
  if (!(revision >= 0 && revision <= revisions.length))
    throw new EditRefused({
      reason: "unknown_revision",
      operation: null,
      detail: `There is no revision ${revision}; the newest is ${revisions.length}.`,
    })
  const { language, segments } = heard
  const linesAt = (at: number) =>
    at === 0
      ? segments
      : Either.getOrThrowWith(
          newestTranscript({ language, duration, segments }, revisions.slice(0, at)),
          (refused) => refused,
        ).segments
  const content = revision === 0 ? heard : correctedContent(heard, linesAt(revision))
  const extended = extras.length === 0 ? content : withExtras(content, extras, linesAt, null)
  return { content: extended, revision, revisions, isTorn, extras }
}

/** An entry at a revision, else at the newest. Throws when it is damaged. */
export const readRevised = (folder: string, id: string, wanted?: number): Revised => {
  const heard = unpack(contentPath(folder, id))
  const lines = () => heard.segments
  const kept = { heard, edits: editsOf(folder, id, lines), extras: extrasOf(folder, id, lines) }
  return reviseContent(kept, wanted)
}

/** The newest lines, without words where nobody has edited them. Throws when it is damaged. */
export const readNewestLines = (folder: string, id: string): Content => {
  let heard: Content | undefined
  const edits = editsOf(folder, id, () => {
    heard = unpack(contentPath(folder, id))
    return heard.segments
  })
  return heard === undefined
    ? unpackLines(contentPath(folder, id))
    : reviseContent({ heard, edits, extras: [] }).content
}
