/** Corrections of a transcript. */
import * as Schema from "effect/Schema"
import { LONGEST_LINE, LONGEST_SPEAKER, MOST_OPERATIONS, MOST_REVISIONS } from "../edits/EditOperation.js"
import { Count, field, integerText, Seconds, sometimes, Timestamp, text } from "../jobs/fields.js"
import { paging } from "./lists.js"

/** A revision in a query; 0 is what was heard. */
export const RevisionText = integerText(0, MOST_REVISIONS)

const Speaker = text(LONGEST_SPEAKER)

/** One change. Lines are counted from 0, as the operations before it left them. */
const Correction = Schema.Union(
  Schema.Struct({ type: Schema.Literal("text"), line: Count, text: text(LONGEST_LINE) }),
  Schema.Struct({ type: Schema.Literal("split"), line: Count, at: Count }),
  Schema.Struct({ type: Schema.Literal("merge"), line: Count }),
  Schema.Struct({ type: Schema.Literal("remove"), line: Count }),
  Schema.Struct({ type: Schema.Literal("speaker"), line: Count, speaker: Schema.NullOr(Speaker) }),
  Schema.Struct({ type: Schema.Literal("rename_speaker"), from: Speaker, to: Speaker }),
  Schema.Struct({ type: Schema.Literal("merge_speakers"), from: Speaker, into: Speaker }),
  Schema.Struct({ type: Schema.Literal("times"), line: Count, start: Seconds, end: Seconds }),
)

/** The body of `POST /transcriptions/{id}/edits`. */
export const EditRequest = Schema.Struct({
  baseRevision: field("base_revision", Count),
  operations: Schema.Array(Correction).pipe(
    Schema.minItems(1, { description: "at least one operation" }),
    Schema.maxItems(MOST_OPERATIONS, {
      description: `at most ${MOST_OPERATIONS} operations; send the others as the next revision`,
    }),
  ),
})
export type EditRequest = typeof EditRequest.Type

/** What a correction answers: the new revision, and how many lines the transcript has now. */
export const Edited = Schema.Struct({ revision: Count, lines: Count })
export type Edited = typeof Edited.Type

export const EditsQuery = Schema.Struct({ limit: paging.limit, cursor: paging.cursor })
export type EditsQuery = typeof EditsQuery.Type

/** So many operations of a revision are told in the history. */
export const MOST_CHANGES = 10

/** One revision in the history of a transcript. */
export const EditRevision = Schema.Struct({
  revision: Count,
  /** How many operations it has; 0 for an undo. */
  operations: Count,
  /** What its first operations are, without texts and names; at most `MOST_CHANGES`. Older servers do not tell it. */
  changes: sometimes(
    Schema.Array(
      Schema.Struct({
        type: Schema.Literal(
          "text",
          "split",
          "merge",
          "remove",
          "speaker",
          "rename_speaker",
          "merge_speakers",
          "times",
        ),
        /** Counted from 0, as the operations before it left the lines; null for what concerns a speaker in all lines. */
        line: Schema.NullOr(Count),
      }),
    ),
  ),
  /** The revision that it took back. */
  undoes: Schema.NullOr(Count),
  madeAt: field("made_at", Timestamp),
  /** The key it was made with; null for a program that embeds Earmark. */
  madeBy: field(
    "made_by",
    Schema.NullOr(
      Schema.Struct({ keyId: field("key_id", Schema.String), name: Schema.NullOr(Schema.String) }),
    ),
  ),
})
export type EditRevision = typeof EditRevision.Type
