import type { Effect, Stream } from "effect"
import type { ToolRefused } from "./ToolRefused.js"

/** The files of the machine that a local server runs on. */
export interface LocalFiles {
  /** A regular file, by its absolute path; links are not followed. */
  readonly open: (path: string) => Effect.Effect<
    {
      readonly filename: string
      readonly contentType: string
      readonly bytes: number
      readonly content: Stream.Stream<Uint8Array, ToolRefused>
    },
    ToolRefused
  >
  /** Writes a new file into a folder that is there. Never overwrites. */
  readonly save: (path: string, content: Uint8Array) => Effect.Effect<void, ToolRefused>
}
