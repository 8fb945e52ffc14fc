import type { FetchFailed } from "@earmark/service"
import { type Effect, Schema, type Stream } from "effect"

/** What is known of a kept answer beside its body. */
export const Kept = Schema.Struct({
  url: Schema.String,
  movedTo: Schema.optional(Schema.String),
  headers: Schema.Record({ key: Schema.String, value: Schema.String }),
  bytes: Schema.Number,
  /** Of the body, in hexadecimal. */
  sha256: Schema.String,
  /** Milliseconds since 1970 until which nobody is asked again. */
  freshUntil: Schema.Number,
})
export type Kept = typeof Kept.Type

export interface Shelved {
  readonly kept: Kept
  readonly body: Stream.Stream<Uint8Array, FetchFailed>
}

export type Body = Stream.Stream<Uint8Array, FetchFailed>

/** Where answers are kept, the least used ones going first. What cannot be read is as good as not there. */
export interface Shelf {
  readonly find: (key: string) => Effect.Effect<Shelved | null>
  /** Reads the body to its end and keeps it; null, and nothing is kept, when it is too large or there is no room. */
  readonly put: (
    key: string,
    facts: Pick<Kept, "url" | "movedTo" | "headers" | "freshUntil">,
    body: Body,
  ) => Effect.Effect<Shelved | null, FetchFailed>
  /** The same body under new facts. */
  readonly renew: (key: string, kept: Kept) => Effect.Effect<void>
}

export interface ShelfLimits {
  /** Bytes of all bodies together. */
  readonly maxBytes: number
  /** Bytes of one body. */
  readonly maxEntryBytes: number
  readonly maxEntries: number
}
