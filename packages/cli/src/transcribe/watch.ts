import { Clock, Effect } from "effect"
import { stateOf } from "./made.js"
import { type Run, transcribeOne } from "./oneSource.js"
import type { Result } from "./results.js"
import { fileIn, mediaIn } from "./sources.js"

const EVERY = "1 second"
/** A file that has not changed for so long is complete. */
const SETTLED = 2000

/** What was seen of a file, and since when it is like that. */
interface Seen {
  readonly state: string
  readonly since: number
}

/**
 * Transcribes what is put into a folder, until somebody stops it. A file that is still being written is left alone; one that failed is
 * tried again when it has changed.
 */
export const watchFolder = Effect.fnUntraced(function* (
  run: Run,
  folder: string,
  tell: (result: Result) => Effect.Effect<void>,
) {
  const seen = new Map<string, Seen>()
  const over = new Map<string, string>()

  const settled = Effect.fnUntraced(function* (path: string) {
    const state = yield* stateOf(path)
    if (state === null || over.get(path) === state) return null
    const now = yield* Clock.currentTimeMillis
    const before = seen.get(path)
    if (before === undefined || before.state !== state) {
      seen.set(path, { state, since: now })
      return null
    }
    return now - before.since >= SETTLED ? state : null
  })

  yield* run.teller.note(`Watching ${folder}. Ctrl-C ends it.`)
  const round = Effect.gen(function* () {
    for (const path of yield* mediaIn(folder)) {
      const state = yield* settled(path)
      if (state === null) continue
      const result = yield* transcribeOne(run, fileIn(folder, path), "")
      over.set(path, state)
      yield* tell(result)
    }
    yield* Effect.sleep(EVERY)
  })
  return yield* Effect.forever(round)
})
