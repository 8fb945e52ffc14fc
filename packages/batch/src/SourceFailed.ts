import { Data } from "effect"

/** Why a source gave no transcript: told as it is. */
export class SourceFailed extends Data.TaggedError("SourceFailed")<{
  /** A code of the service, or why this machine could not: `over_cap`, `output_unwritable`, `temporary_unwritable`. */
  readonly code: string
  readonly message: string
}> {}
