import type { ProblemCode, RequestProblem } from "@earmark/core/jobs"
import { Data } from "effect"

/** What some codes have to say beside their sentence, under the names of the wire. */
export interface RefusedExtras {
  readonly balance?: number
  readonly needed?: number
  readonly top_up_url?: string
  readonly feature?: string
  readonly upgrade?: true
}

/** The service does not do what was asked for: a problem of the REST interface, whichever way it came. */
export class BackendRefused extends Data.TaggedError("BackendRefused")<{
  readonly code: ProblemCode
  readonly detail: string
  readonly problems?: ReadonlyArray<RequestProblem>
  readonly extras?: RefusedExtras
  readonly retryAfterSeconds?: number
}> {
  override get message() {
    return this.detail
  }
}
