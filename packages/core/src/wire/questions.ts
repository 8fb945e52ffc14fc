/** Questions about transcripts, and their answers. */
import * as Schema from "effect/Schema"
import { Count, field, optional, optionalField, Seconds, text } from "../jobs/fields.js"
import { JobId } from "../jobs/ids.js"

/** So many transcripts may be named in one question, and so many are read at most. */
export const MOST_ASKED = 32

const LONGEST_QUESTION = 1000

const question = {
  question: text(LONGEST_QUESTION).pipe(
    Schema.pattern(/\S/, { description: `a text of 1 to ${LONGEST_QUESTION} characters, with a word in it` }),
  ),
}

/** The body of `POST /transcriptions/{id}/ask`. */
export const AskRequest = Schema.Struct(question)
export type AskRequest = typeof AskRequest.Type

const idsDescription = `1 to ${MOST_ASKED} ids of transcriptions`

const Fields = Schema.Struct({
  ...question,
  ids: optional(
    Schema.Array(text(64)).pipe(
      Schema.minItems(1, { description: idsDescription }),
      Schema.maxItems(MOST_ASKED, { description: idsDescription }),
    ),
  ),
  batchId: optionalField("batch_id", text(64)),
  all: optional(Schema.Literal(true)),
})

const ONE_OF = "Give exactly one of ids, batch_id and all"

/** The body of `POST /ask`. Exactly one of `ids`, `batch_id` and `all` says which transcripts are asked. */
export const AskAllRequest = Fields.pipe(
  Schema.filter(({ ids, batchId, all }) =>
    [ids, batchId, all].filter((each) => each !== undefined).length === 1 ? undefined : ONE_OF,
  ),
)
export type AskAllRequest = typeof AskAllRequest.Type

/** Words of a transcript, with who says them and when. */
export const Citation = Schema.Struct({
  transcriptionId: field("transcription_id", JobId),
  /** The place of the line in `segments`, from 0. */
  segmentId: field("segment_id", Count),
  start: Seconds,
  end: Seconds,
  speaker: Schema.NullOr(Schema.String),
  /** What the line says, word for word. */
  excerpt: Schema.String,
})

/** A sentence of an answer, and what it rests on. */
export const Claim = Schema.Struct({ text: Schema.String, citations: Schema.Array(Citation) })

/** What was looked at for an answer, and what was left out of it. */
export const Coverage = Schema.Struct({
  /** Finished transcripts that the question was about. */
  transcripts: Count,
  /** How many of them were read. */
  transcriptsRead: field("transcripts_read", Count),
  /** Lines of those. */
  linesRead: field("lines_read", Count),
  /** Lines that a language model was shown; 0 where the passages answer. */
  linesShown: field("lines_shown", Count),
  /** Claims without a citation that holds. */
  droppedClaims: field("dropped_claims", Count),
  /** Citations that are not in the transcript. */
  droppedCitations: field("dropped_citations", Count),
  /** Why a language model did not answer; null where it did, or there is none. */
  note: Schema.NullOr(Schema.String),
  /** The titles of what is cited. */
  cited: Schema.Array(
    Schema.Struct({ transcriptionId: field("transcription_id", JobId), title: Schema.NullOr(Schema.String) }),
  ),
})

/**
 * An answer. `supported`: a language model has answered, and citations bear out all of it. `partial`: something is missing, or the best
 * passages answer, word for word. `not_found`: nothing fits.
 */
export const Answer = Schema.Struct({
  status: Schema.Literal("supported", "partial", "not_found"),
  text: Schema.String,
  claims: Schema.Array(Claim),
  coverage: Coverage,
})
export type Answer = typeof Answer.Type
