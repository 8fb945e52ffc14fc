/** Transcribes again what has failed here: the same source with the same options, to the same places. */
import { type Head, retryOf } from "@earmark/batch"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.js"
import { NOTHING_ASKED } from "../transcribe/TranscribeRequest.js"
import { waitFor } from "../waitFor.js"

/** What hears. Bundled apart, since it is as large as all the rest. */
const loadHost = Effect.promise(() => import("../transcribe/host.js"))

export const retryHere = Effect.fnUntraced(function* (head: Head) {
  const again = retryOf(head)
  if (again === null) return
  const host = yield* loadHost
  const { exitCode, problem } = yield* waitFor((signal) =>
    host.transcribe({ ...NOTHING_ASKED, again, engine: head.again.engine, retryFailed: true }, signal),
  )
  if (exitCode !== 0) return yield* new CommandFailed({ message: problem ?? "", exitCode })
})
