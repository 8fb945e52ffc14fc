/**
 * The revisions of an entry, in a file beside its content that is only ever appended to. Its first line holds the digest of the lines that
 * they are of: for any other lines there are none.
 */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { link, open, rename, truncate } from "node:fs/promises"
import { join } from "node:path"
import type { EditOperation } from "@earmark/core/edits"
import { onUse } from "@earmark/core/onUse"
import type { Segment, Transcript } from "@earmark/core/transcripts"
import { Option, Schema } from "effect"

const { Struct, Literal, Union, NullOr, Int, String: Text } = Schema

const Operation = Union(
  Struct({ type: Literal("text"), line: Int, text: Text }),
  Struct({ type: Literal("split"), line: Int, at: Int }),
  Struct({ type: Literal("merge"), line: Int }),
  Struct({ type: Literal("remove"), line: Int }),
  Struct({ type: Literal("speaker"), line: Int, speaker: NullOr(Text) }),
  Struct({ type: Literal("rename_speaker"), from: Text, to: Text }),
  Struct({ type: Literal("merge_speakers"), from: Text, into: Text }),
  Struct({ type: Literal("times"), line: Int, start: Int, end: Int }),
) satisfies Schema.Schema<EditOperation, EditOperation>

const common = { revision: Int, made_at: Text }

const StoredRevision = Union(
  Struct({ ...common, operations: Schema.Array(Operation) }),
  Struct({ ...common, undo: Int }),
)
export type StoredRevision = typeof StoredRevision.Type

/** The first line. How long the media is decides which times an edit may give. */
const Head = Struct({ version: Literal(1), of: Text, duration_ms: Schema.Finite })

const decodeHead = onUse(() => Schema.decodeUnknownOption(Schema.parseJson(Head)))
const decodeRevision = onUse(() => Schema.decodeUnknownOption(Schema.parseJson(StoredRevision)))

/** What a file of revisions holds. */
export interface StoredEdits {
  /** The digest of the lines that they are of; empty where not even that was written. */
  readonly of: string
  readonly duration: number
  /** The oldest first. */
  readonly revisions: ReadonlyArray<StoredRevision>
  /** So many bytes are whole lines. */
  readonly whole: number
  /** Whether its last line was not written to its end. */
  readonly isTorn: boolean
}

/** The file was changed by something else. */
export class DamagedEdits extends Error {
  constructor(readonly path: string) {
    super(`${path} is damaged`)
  }
}

const DIGEST_CHARACTERS = 16

/** What the lines of a content are known by. */
export const digestOf = (segments: ReadonlyArray<Segment>): string =>
  createHash("sha256")
    .update(
      JSON.stringify(
        segments.map(({ start, end, speaker, text, words }) => [
          start,
          end,
          speaker,
          text,
          words.map((word) => [word.start, word.end, word.text, word.confidence, word.speaker]),
        ]),
      ),
    )
    .digest("hex")
    .slice(0, DIGEST_CHARACTERS)

const NAME = /^(tr_[0-9a-z]{26})\.(?:(?:[0-9a-f]{16}\.)?edits|extras|[0-9a-f]{16}\.gz)$/

/** The entry that revisions, extras, or an earlier content that has some, belong to. */
export const editedEntryOf = (name: string): string | null => NAME.exec(name)?.[1] ?? null

export const editsPath = (folder: string, id: string): string => join(folder, `${id}.edits`)

/** Where revisions go with their content, when another one takes its place. */
const asidePath = (folder: string, id: string, digest: string, ending: "edits" | "gz"): string =>
  join(folder, `${id}.${digest}.${ending}`)

const bytesOf = (path: string): Buffer | null => {
  try {
    return readFileSync(path)
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null
    throw cause
  }
}

/** What was appended last may be cut off: nobody was told that it is there. */
export const readEdits = (path: string): StoredEdits | null => {
  const bytes = bytesOf(path)
  if (bytes === null) return null
  const whole = bytes.lastIndexOf("\n") + 1
  const [first, ...lines] = bytes.subarray(0, whole).toString("utf8").split("\n").slice(0, -1)
  const isTorn = whole < bytes.length
  if (first === undefined) return { of: "", duration: 0, revisions: [], whole: 0, isTorn }
  const head = Option.getOrNull(decodeHead()(first))
  if (head === null) throw new DamagedEdits(path)
  const revisions = lines.map((line, at) => {
    const revision = Option.getOrNull(decodeRevision()(line))
    if (revision?.revision !== at + 1) throw new DamagedEdits(path)
    return revision
  })
  return { of: head.of, duration: head.duration_ms, revisions, whole, isTorn }
}

/** The revisions of an entry with these lines; null where nobody has edited them. */
export const editsOf = (
  folder: string,
  id: string,
  segments: () => ReadonlyArray<Segment>,
): StoredEdits | null => {
  const edits = readEdits(editsPath(folder, id))
  return edits !== null && (edits.of === "" || edits.of === digestOf(segments())) ? edits : null
}

/** Before another content takes the place of one that has revisions. */
export const keepEarlier = async (
  folder: string,
  id: string,
  path: string,
  segments: () => ReadonlyArray<Segment>,
): Promise<void> => {
  const edits = editsOf(folder, id, segments)
  if (edits === null || edits.of === "") return
  const aside = asidePath(folder, id, edits.of, "gz")
  if (!existsSync(aside)) await link(path, aside)
}

/** Puts revisions of other lines aside, and those of these lines where they belong. */
export const settleEdits = async (
  folder: string,
  id: string,
  segments: ReadonlyArray<Segment>,
): Promise<void> => {
  const path = editsPath(folder, id)
  const edits = readEdits(path)
  const digest = digestOf(segments)
  if (edits?.of === digest) return
  if (edits !== null && edits.of !== "") await rename(path, asidePath(folder, id, edits.of, "edits"))
  const own = asidePath(folder, id, digest, "edits")
  if (existsSync(own)) await rename(own, path)
}

/** Appends a revision in one piece, and waits until the disk has it. A piece that was cut off goes first. */
export const appendRevision = async (
  path: string,
  before: StoredEdits | null,
  { segments, duration }: Pick<Transcript, "segments" | "duration">,
  revision: StoredRevision,
): Promise<void> => {
  if (before?.isTorn === true) await truncate(path, before.whole)
  const head = { version: 1, of: digestOf(segments), duration_ms: duration }
  const lines = [...(before === null || before.whole === 0 ? [head] : []), revision]
  const file = await open(path, "a", 0o600)
  try {
    await file.writeFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
    await file.sync()
  } finally {
    await file.close()
  }
}
