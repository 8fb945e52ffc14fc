import { Data } from "effect"

/** Why a model was not pulled, verified or removed: one sentence that says what happened and what to do. */
export class ModelFailed extends Data.TaggedError("ModelFailed")<{
  readonly reason:
    | "unknown"
    | "licence"
    | "unpinned"
    | "locked"
    | "offline"
    | "refused"
    | "size"
    | "checksum"
    | "disk"
  readonly message: string
}> {}

export const modelFailed = (reason: ModelFailed["reason"], message: string): ModelFailed =>
  new ModelFailed({ reason, message })

/** A fault of the disk. */
export const diskFailed = (path: string) => (error: unknown) =>
  modelFailed("disk", `${path}: ${error instanceof Error ? error.message : String(error)}.`)
