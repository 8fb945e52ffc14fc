/** Transcribes again what has failed here: the same source with the same options, to the same places. */
import { type Head, retryOf } from "@earmark/batch"
import { Effect } from "effect"
import { transcribe } from "../commands/runTranscribe.js"
import { NOTHING_ASKED } from "../transcribe/TranscribeRequest.js"

export const retryHere = Effect.fnUntraced(function* (head: Head) {
  const again = retryOf(head)
  if (again === null) return
  yield* transcribe({ ...NOTHING_ASKED, again, engine: head.again.engine, retryFailed: true })
})
