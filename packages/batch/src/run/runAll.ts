import type { FileSystem, Path } from "@effect/platform"
import { Clock, Effect } from "effect"
import type { Result } from "../results/results.js"
import type { SourceObserver } from "../work/SourceObserver.js"
import { transcribeOne } from "./oneSource.js"
import { makeOutlook, weightsOf } from "./outlook.js"
import type { Run } from "./Run.js"
import type { Task } from "./tasks.js"

/** Where a result stands in its run. */
export interface ResultPlace {
  /** It is that of the only source. */
  readonly isOnly: boolean
  /** The run has an end, and all its results then. */
  readonly isListed: boolean
}

/** Told each result as soon as it is there. */
export type OnResult<E> = (result: Result, place: ResultPlace) => Effect.Effect<void, E>

/** How many sources are looked at together for a plan. */
const LOOKS = 8

/** Transcribes every source, as many at once as was asked for. */
export const runAll = <E>(
  run: Run,
  tasks: ReadonlyArray<Task>,
  onResult: OnResult<E>,
): Effect.Effect<ReadonlyArray<Result>, E, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { settings, observer, isOnly, turns } = run
    const results = new Map<number, Result>()
    const ordered = () =>
      [...results.entries()].sort(([left], [right]) => left - right).map(([, result]) => result)
    const outlook = makeOutlook(weightsOf(tasks.map(({ item }) => item)))
    const tellWhole = isOnly
      ? Effect.void
      : Effect.flatMap(Clock.currentTimeMillis, (now) =>
          observer.whole(outlook.over(), tasks.length, outlook.secondsLeft(now)),
        )
    const begin = (name: string, index: number): SourceObserver => {
      const line = observer.begin(name, isOnly ? null : { number: index + 1, all: tasks.length })
      const progress: SourceObserver["progress"] = (reached) =>
        Effect.gen(function* () {
          yield* line.progress(reached)
          if (reached.share !== null) outlook.reach(index, reached.share, yield* Clock.currentTimeMillis)
          yield* tellWhole
        })
      return { ...line, progress }
    }
    const later: Array<readonly [task: Task, index: number]> = []
    const attempt = (task: Task, index: number, isLast: boolean) =>
      Effect.gen(function* () {
        const number = index + 1
        const result = yield* transcribeOne(run, task, number, begin(task.item.name, index))
        if (turns !== null) {
          yield* Effect.zipRight(turns.names.begin(number), turns.names.end(number))
          yield* turns.counts.begin(number)
        }
        if (result.status === "under_way" && !isLast) {
          later.push([task, index])
          return yield* observer.notice({ type: "under_way", result, isLater: true })
        }
        results.set(index, result)
        if (result.status === "held" || result.status === "under_way") outlook.leave(index)
        else outlook.end(index, result.status === "done")
        yield* onResult(result, { isOnly, isListed: !isOnly })
        if (turns !== null) yield* turns.counts.end(number)
        yield* tellWhole
      })
    const concurrently = {
      concurrency: turns === null ? settings.jobs : Math.max(settings.jobs, LOOKS),
      discard: true,
    } as const
    const all = Effect.gen(function* () {
      yield* Effect.forEach(
        tasks,
        (task, index) => attempt(task, index, isOnly || settings.dryRun),
        concurrently,
      )
      // The other run may be done with it by now, or be dead.
      yield* Effect.forEach(later, ([task, index]) => attempt(task, index, true), concurrently)
    }).pipe(Effect.ensuring(observer.end))
    const stopped = Effect.suspend(() =>
      isOnly ? Effect.void : observer.notice({ type: "run_stopped", all: tasks.length, results: ordered() }),
    )
    yield* Effect.onInterrupt(all, () => stopped)
    return ordered()
  })
