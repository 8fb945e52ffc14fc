/** The queries that read one job. */
import * as Schema from "effect/Schema"
import { integerText, LanguageCode, optionalParameter } from "../jobs/fields.js"
import { RevisionText } from "./edits.js"

/** How a job is read: `wait` holds the answer until the job ends, at most that many seconds. */
export const ReadQuery = Schema.Struct({
  wait: optionalParameter(integerText(0, 60)),
  include: optionalParameter(Schema.Literal("words")),
  /** The newest when left out. */
  revision: optionalParameter(RevisionText),
  /** The language of the translation to show; the first one when left out. */
  translation: optionalParameter(LanguageCode),
})
export type ReadQuery = typeof ReadQuery.Type
