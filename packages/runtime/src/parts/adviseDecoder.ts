import { Effect } from "effect"
import { examineDecoding } from "../examine/decoding.js"
import type { Settings } from "../settings/Settings.js"

/** Warns of a decoder that cannot be used where jobs are processed: their clients only learn that the server cannot decode. */
export const adviseDecoder = Effect.fnUntraced(function* (settings: Settings) {
  if (settings.role === "api") return
  const { status, detail, fix } = yield* examineDecoding(settings)
  if (status !== "ok") yield* Effect.logWarning(`Media cannot be decoded. ${detail} Fix: ${fix}`)
})
