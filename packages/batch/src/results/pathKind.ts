import { stat } from "node:fs/promises"
import { Effect } from "effect"

/** What is at a path, by whatever links; null where there is nothing. */
export const pathKind = (path: string): Effect.Effect<"folder" | "file" | null> =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map((found) => (found.isDirectory() ? "folder" : "file")),
    Effect.orElseSucceed(() => null),
  )

export const isThere = (path: string) => Effect.map(pathKind(path), (kind) => kind !== null)

export const isFolder = (path: string) => Effect.map(pathKind(path), (kind) => kind === "folder")
