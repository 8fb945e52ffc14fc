import { Data } from "effect"

/** Why a source gave no transcript: told as it is. */
export class SourceFailed extends Data.TaggedError("SourceFailed")<{
  /** A code of the service, or `over_cap`: more than --max-minutes or --max-credits allow. */
  readonly code: string
  readonly message: string
}> {}
