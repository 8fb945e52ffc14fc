import type { ProblemCode, RequestProblem } from "@earmark/core/wire"
import type { ProblemExtras } from "@earmark/service"
import { Data } from "effect"

/** A request that is not answered as asked: what a problem is made of. */
export class Refusal extends Data.TaggedError("Refusal")<{
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: ReadonlyArray<RequestProblem>
  readonly extras?: ProblemExtras
  readonly headers?: Readonly<Record<string, string>>
  /** Why, for the log alone. */
  readonly cause?: unknown
}> {
  override get message(): string {
    return `${this.detail} (${this.code})`
  }
}

/** One thing that is wrong with a request, and where. */
export const invalid = (pointer: string, detail: string): Refusal =>
  new Refusal({ code: "invalid_request", detail, errors: [{ pointer, detail }] })

export const notFound = new Refusal({ code: "not_found", detail: "There is nothing at this address." })
