import type { ProblemCode, RequestProblem } from "@earmark/core/wire"
import type { ProblemExtras } from "@earmark/service"
import { Data } from "effect"

/** The service does not do what was asked for: a problem of the REST interface, whichever way it came. */
export class BackendRefused extends Data.TaggedError("BackendRefused")<{
  readonly code: ProblemCode
  readonly detail: string
  readonly problems?: ReadonlyArray<RequestProblem>
  readonly extras?: ProblemExtras
  readonly retryAfterSeconds?: number
  /** What a person has to do first: the same call does not work before. */
  readonly remedy?: string
}> {
  override get message() {
    return this.detail
  }
}
