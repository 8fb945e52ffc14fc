/** What an entry says now: what was heard, with its revisions. */
import { EditRefused, replayRevisions } from "@earmark/core/edits"
import { type Segment, type Transcript, textOf } from "@earmark/core/transcripts"
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

/** The line, among some, in which another one begins. */
const placeOf = (line: Segment, lines: ReadonlyArray<Segment>): number =>
  Math.max(
    0,
    lines.findLastIndex(({ start }) => start <= line.start),
  )

/** Lines that stay are the same objects. The translation of any other goes to the line in which it begins now. */
const translatedTexts = (
  before: ReadonlyArray<Segment>,
  after: ReadonlyArray<Segment>,
  texts: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const places = new Map(before.map((line, at) => [line, at]))
  const translated: Array<string> = []
  let from = 0
  let changed: Array<Segment> = []
  const close = (to: number) => {
    const parts: Array<ReadonlyArray<string>> = changed.map(() => [])
    for (const [at, line] of before.slice(from, to).entries()) {
      const place = placeOf(line, changed)
      parts[place] = [...(parts[place] ?? []), texts[from + at] ?? ""]
    }
    translated.push(...parts.map((part) => part.join(" ")))
    changed = []
  }
  for (const line of after) {
    const place = places.get(line)
    if (place === undefined) {
      changed.push(line)
      continue
    }
    close(place)
    translated.push(texts[place] ?? "")
    from = place + 1
  }
  close(before.length)
  return translated
}

const withLines = (heard: Content, segments: Transcript["segments"]): Content => ({
  ...heard,
  segments,
  text: textOf(segments),
  translation:
    heard.translation === null
      ? null
      : {
          ...heard.translation,
          texts: translatedTexts(heard.segments, segments, heard.translation.texts),
        },
})

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
  const transcripts = Either.getOrThrowWith(
    replayRevisions({ language, duration, segments }, revisions.slice(0, revision)),
    (refused) => refused,
  )
  const content = withLines(heard, transcripts.at(-1)?.segments ?? segments)
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
