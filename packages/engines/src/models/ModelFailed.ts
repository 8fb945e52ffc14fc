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
    | "unrecognised"
    | "language"
    | "unusable"
  readonly message: string
}> {}

export const modelFailed = (reason: ModelFailed["reason"], message: string): ModelFailed =>
  new ModelFailed({ reason, message })

const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT")

/** A fault of the disk. */
export const diskFailed = (path: string) => (error: unknown) =>
  modelFailed(
    "disk",
    isFull(error)
      ? `Cannot write ${path}: the disk is full. Make room and try again.`
      : `${path}: ${error instanceof Error ? error.message : String(error)}.`,
  )
