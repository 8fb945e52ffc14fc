import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { feed } from "../grammar/transcribing.js"
import { readInterval } from "../transcribe/since.js"
import { runTranscribe } from "./runTranscribe.js"
import { requestOf } from "./transcribeOptions.js"

export const feedWatch = (given: Given<typeof feed.commands.watch>) =>
  Effect.gen(function* () {
    if (given.backlog < 0) return yield* usage(`--backlog must be 0 or more, and got ${given.backlog}.`)
    const everySeconds = yield* readInterval(given.interval)
    const feedWatch = { everySeconds, once: given.once, backlog: given.backlog }
    return yield* runTranscribe({ ...requestOf(given, given.feeds), feedWatch }, given)
  })
