import * as Data from "effect/Data"

/**
 * The export cannot be made as asked. `no_word_timing`: word level of a transcript that has no word times;
 * `no_translation`: a language the transcript was not translated to; `invalid_request`: options that do not go together.
 */
export class ExportRefused extends Data.TaggedError("ExportRefused")<{
  readonly code: "invalid_request" | "no_word_timing" | "no_translation"
  /** The option at fault. */
  readonly option: "format" | "wordLevel" | "language"
  readonly message: string
}> {}

/** Single words of a transcript whose words have no times. */
export const noWordTimes = (): ExportRefused =>
  new ExportRefused({
    code: "no_word_timing",
    option: "wordLevel",
    message: "The times of the single words are not known.",
  })
