/** What an entry says now: what was heard, with its revisions. */
import { EditRefused, newestTranscript } from "@earmark/core/edits"
import { textOf } from "@earmark/core/transcripts"
import type { Content } from "@earmark/service"
import { Either } from "effect"
import { editsOf, type StoredEdits, type StoredRevision } from "./editsFile.js"
import { contentPath } from "./entries.js"
import { unpack, unpackLines } from "./packed.js"

/** A content at one of its revisions. */
export interface Revised {
  readonly content: Content
  readonly revision: number
  /** The oldest first, also those after this revision. */
  readonly revisions: ReadonlyArray<StoredRevision>
  /** Whether the last change was not written to its end, and does not count. */
  readonly isTorn: boolean
}

/** Throws the refusal where there is no such revision, or where the file of revisions was changed by something else. */
const reviseContent = (
  heard: Content,
  edits: Pick<StoredEdits, "duration" | "revisions" | "isTorn"> | null,
  wanted?: number,
): Revised => {
  const { duration = 0, revisions = [], isTorn = false } = edits ?? {}
  const revision = wanted ?? revisions.length
  if (!(revision >= 0 && revision <= revisions.length))
    throw new EditRefused({
      reason: "unknown_revision",
      operation: null,
      detail: `There is no revision ${revision}; the newest is ${revisions.length}.`,
    })
  if (revision === 0) return { content: heard, revision, revisions, isTorn }
  const { language, segments } = heard
  const newest = Either.getOrThrowWith(
    newestTranscript({ language, duration, segments }, revisions.slice(0, revision)),
    (refused) => refused,
  )
  const content = {
    ...heard,
    segments: newest.segments,
    text: textOf(newest.segments),
    heard: segments,
  }
  return { content, revision, revisions, isTorn }
}

/** An entry at a revision, else at the newest. Throws when it is damaged. */
export const readRevised = (folder: string, id: string, wanted?: number): Revised => {
  const heard = unpack(contentPath(folder, id))
  return reviseContent(
    heard,
    editsOf(folder, id, () => heard.segments),
    wanted,
  )
}

/** The newest lines, without words where nobody has edited them. Throws when it is damaged. */
export const readNewestLines = (folder: string, id: string): Content => {
  let heard: Content | undefined
  const edits = editsOf(folder, id, () => {
    heard = unpack(contentPath(folder, id))
    return heard.segments
  })
  return heard === undefined ? unpackLines(contentPath(folder, id)) : reviseContent(heard, edits).content
}
