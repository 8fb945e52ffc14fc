import { type FileHandle, open } from "node:fs/promises"
import type { WorkFailed } from "@earmark/service"
import { Effect, type Scope } from "effect"
import { machineFailed } from "../obtain/scratch.js"

export const openForReading = (path: string): Effect.Effect<FileHandle, WorkFailed, Scope.Scope> =>
  Effect.acquireRelease(Effect.tryPromise({ try: () => open(path), catch: machineFailed }), (file) =>
    Effect.promise(() => file.close()),
  )

/** Up to `length` bytes from a place of a file. */
export const readAt = (file: FileHandle, at: number, length: number): Effect.Effect<Buffer, WorkFailed> =>
  Effect.tryPromise({
    try: async () => {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
      return buffer.subarray(0, bytesRead)
    },
    catch: machineFailed,
  })
