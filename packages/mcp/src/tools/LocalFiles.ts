import type { Effect, Scope, Stream } from "effect"
import type { ToolRefused } from "./ToolRefused.js"

/** The files of the machine that a local server runs on. */
export interface LocalFiles {
  /** A regular file of audio or video, by its absolute path; links are not followed. Open for as long as the scope. */
  readonly open: (path: string) => Effect.Effect<
    {
      readonly filename: string
      readonly contentType: string
      readonly bytes: number
      readonly content: Stream.Stream<Uint8Array, ToolRefused>
    },
    ToolRefused,
    Scope.Scope
  >
  /** Creates a file in the one folder that is chosen for it, and answers its path. Never overwrites, follows no link. */
  readonly save: (name: string, extension: string, content: Uint8Array) => Effect.Effect<string, ToolRefused>
}
