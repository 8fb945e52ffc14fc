import { Clock, Effect } from "effect"
import { stateOf } from "./fileStates.js"
import { type Run, transcribeOne } from "./oneSource.js"
import type { Asked } from "./readAsked.js"
import { lineOf } from "./results.js"
import type { Tell } from "./runAll.js"
import { fileIn, mediaIn } from "./sources.js"
import { taskOf } from "./tasks.js"

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
 * tried again when it has changed. What was done before, by another run too, is not told again.
 */
export const watchFolder = Effect.fnUntraced(function* (run: Run, folder: string, asked: Asked, tell: Tell) {
  const seen = new Map<string, Seen>()
  const over = new Map<string, string>()
  const elsewhere = new Set<string>()
  let number = 0

  const settled = Effect.fnUntraced(function* (path: string) {
    const state = yield* stateOf(path)
    if (state === null || over.get(path) === state) return null
    const now = yield* Clock.currentTimeMillis
    const before = seen.get(path)
    if (before === undefined || before.state !== state) {
      seen.set(path, { state, since: now })
      return null
    }
    return now - before.since >= SETTLED ? { path, state } : null
  })

  yield* run.teller.note(`Watching ${folder}. Ctrl-C ends it.`)
  const round = Effect.gen(function* () {
    const paths = yield* mediaIn(folder)
    for (const path of [...seen.keys(), ...over.keys()].filter((path) => !paths.includes(path))) {
      seen.delete(path)
      over.delete(path)
    }
    const ready = (yield* Effect.forEach(paths, settled)).filter((found) => found !== null)
    yield* Effect.forEach(
      ready,
      ({ path, state }) =>
        Effect.gen(function* () {
          number += 1
          const task = taskOf(fileIn(folder, path), asked)
          const result = yield* transcribeOne(run, task, number, run.teller.begin(task.item.name, ""))
          // The other run may be stopped: the file is looked at until its result is there.
          if (result.status === "under_way") {
            if (!elsewhere.has(path)) yield* run.teller.note(lineOf(result))
            elsewhere.add(path)
            return
          }
          over.set(path, state)
          if (result.status !== "skipped" || result.isTaken) yield* tell(result, false)
        }),
      { concurrency: run.request.jobs, discard: true },
    )
    yield* Effect.sleep(EVERY)
  })
  return yield* Effect.forever(round)
})
