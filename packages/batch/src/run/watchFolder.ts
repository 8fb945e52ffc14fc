import type { FileSystem, Path } from "@effect/platform"
import { Clock, Effect } from "effect"
import type { Asked } from "../Asked.js"
import { fileIn, mediaIn } from "../sources/sources.js"
import { stateOf } from "../state/fileStates.js"
import { transcribeOne } from "./oneSource.js"
import type { Run } from "./Run.js"
import type { OnResult } from "./runAll.js"
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
export const watchFolder = <E>(
  run: Run,
  folder: string,
  asked: Asked,
  onResult: OnResult<E>,
): Effect.Effect<never, E, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
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

    yield* run.observer.notice({ type: "watching_folder", folder })
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
            const result = yield* transcribeOne(run, task, number, run.observer.begin(task.item.name, null))
            // The other run may be stopped: the file is looked at until its result is there.
            if (result.status === "under_way") {
              if (!elsewhere.has(path))
                yield* run.observer.notice({ type: "under_way", result, isLater: false })
              elsewhere.add(path)
              return
            }
            over.set(path, state)
            if (result.status !== "skipped" || result.isTaken)
              yield* onResult(result, { isOnly: false, isListed: false })
          }),
        { concurrency: run.settings.jobs, discard: true },
      )
      yield* Effect.sleep(EVERY)
    })
    return yield* Effect.forever(round)
  })
