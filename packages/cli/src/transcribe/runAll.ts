import { appendFile, writeFile } from "node:fs/promises"
import { Clock, Effect } from "effect"
import { type CommandFailed, failed } from "../CommandFailed.js"
import { note, print } from "../output.js"
import { helpOfWarning, shortWarning } from "./explain.js"
import type { makeHints } from "./hints.js"
import { type Run, transcribeOne } from "./oneSource.js"
import { makeOutlook, weightsOf } from "./outlook.js"
import {
  type Counts,
  countOf,
  countsOf,
  exitCodeOf,
  isTaken,
  jsonOf,
  lineOf,
  type Result,
  remarkLines,
  worthTelling,
} from "./results.js"
import { summaryOf } from "./summary.js"
import type { Line } from "./Teller.js"
import type { Ended } from "./TranscribeRequest.js"
import type { Task } from "./tasks.js"

/** What a table does not say of those that it calls skipped. */
const tellSkipped = (counts: Counts, teller: Run["teller"]) => {
  const are = counts.skipped - counts.taken
  return are === 0
    ? Effect.void
    : teller.note(
        `${are} ${are === 1 ? "has its result" : "have their results"} already (--force makes anew).`,
      )
}

/** `isOnly`: of a run with this one source; `isRow`: a table at the end shows it. */
export type Tell = (result: Result, isOnly: boolean, isRow?: boolean) => Effect.Effect<void, CommandFailed>

type Done = Extract<Result, { status: "done" }>

const extrasOf = ({ facts: { enrichment } }: Done) =>
  (["summary", "chapters", "translation"] as const).map((name) => {
    const extra = enrichment[name]
    const error = extra !== undefined && "error" in extra ? (extra.error ?? "") : ""
    return [name, { status: extra?.status, error }] as const
  })

const cannotWrite = (path: string) => () =>
  failed(
    `The manifest ${path} cannot be written. Name a file in a folder that exists and that you may write to.`,
  )

/** A new manifest; each result is one line of it, whole or not there. */
export const beginManifest = (path: string | null) =>
  path === null
    ? Effect.void
    : Effect.tryPromise({ try: () => writeFile(path, ""), catch: cannotWrite(path) })

const KEPT = "  The library keeps it too: earmark jobs list. --no-keep keeps nothing."

/** Tells results: data to standard output, the rest beside it. Each kind of warning is explained once. */
export const makeTell = ({ request, teller }: Run, hint: ReturnType<typeof makeHints>): Tell =>
  Effect.fnUntraced(function* (result: Result, isOnly: boolean, isRow = false) {
    const { manifest } = request
    if (request.json) yield* print(`${jsonOf(result)}\n`)
    if (manifest !== null) {
      yield* Effect.tryPromise({
        try: () => appendFile(manifest, `${jsonOf(result)}\n`),
        catch: cannotWrite(manifest),
      })
    }
    if (result.status === "failed" || result.status === "under_way" || isTaken(result)) {
      // A lone failure is what the whole command ends with.
      if (isOnly) return
      yield* request.quiet ? note(lineOf(result)) : teller.note(lineOf(result))
      return
    }
    // What nothing was done for is told at the end, and so is a plan.
    if (result.status === "done" || (!isRow && result.status !== "planned"))
      yield* teller.note(lineOf(result))
    if (result.status !== "done") return
    for (const line of remarkLines(result.facts)) yield* teller.note(line)
    for (const { code } of worthTelling(result.facts))
      yield* hint(code, `  ${shortWarning(code)}: ${helpOfWarning(code)}`)
    for (const [name, { status, error }] of extrasOf(result)) {
      if (status === "failed") yield* teller.note(`  ${name}: ${error}`)
    }
    // Only people wonder where else their words are.
    if (request.server === null && result.facts.id !== null && process.stderr.isTTY)
      yield* hint("library", KEPT)
  })

const ended = (exitCode: Ended["exitCode"], problem: string | null): Ended => ({ exitCode, problem })

/** The end of a lone source. */
const endOfOne = (result: Result): Ended => {
  const exitCode = exitCodeOf(countOf([result]))
  switch (result.status) {
    case "failed":
      return ended(exitCode, `${result.source}: ${result.message}`)
    case "held":
    case "under_way":
      return ended(exitCode, lineOf(result))
    case "skipped":
      return ended(exitCode, result.isTaken ? lineOf(result) : null)
    default:
      return ended(exitCode, null)
  }
}

/** Why a run of several sources did not do everything. */
const whyNot = (counts: Counts, all: number): string => {
  const reasons: ReadonlyArray<readonly [count: number, one: string, many: string, why: string]> = [
    [counts.failed, "failed", "failed", ". The lines above say why."],
    [
      counts.taken,
      "was skipped and has no result of its own",
      "were skipped and have no result of their own",
      ", since something else has its name. The lines above say what.",
    ],
    [
      counts.held,
      "was not begun",
      "were not begun",
      ", since a cap would be passed. Run it again with a higher one.",
    ],
    [
      counts.under_way,
      "is being transcribed",
      "are being transcribed",
      " by another run. Run it again when that is over: what is done is skipped.",
    ],
  ]
  return reasons
    .filter(([count]) => count !== 0)
    .map(([count, one, many, why]) => `${count} of ${all} sources ${count === 1 ? one : many}${why}`)
    .join(" ")
}

/** How a run ended. */
export const endOf = (results: ReadonlyArray<Result>, isOnly = false): Ended => {
  const [first] = results
  if (isOnly && first !== undefined) return endOfOne(first)
  const counts = countOf(results)
  const exitCode = exitCodeOf(counts)
  return ended(exitCode, exitCode === 0 ? null : whyNot(counts, results.length))
}

/** How many sources are looked at together for a plan. */
const LOOKS = 8

/** Transcribes every source, as many at once as was asked for. */
export const runAll = Effect.fnUntraced(function* (run: Run, tasks: ReadonlyArray<Task>, tell: Tell) {
  const { request, teller, isOnly, turns } = run
  const results = new Map<number, Result>()
  const ordered = () =>
    [...results.entries()].sort(([left], [right]) => left - right).map(([, result]) => result)
  const outlook = makeOutlook(weightsOf(tasks.map(({ item }) => item)))
  const tellWhole = isOnly
    ? Effect.void
    : Effect.flatMap(Clock.currentTimeMillis, (now) =>
        teller.whole(outlook.over(), tasks.length, outlook.secondsLeft(now)),
      )
  const begin = (name: string, index: number): Line => {
    const line = teller.begin(name, isOnly ? "" : `[${index + 1}/${tasks.length}] `)
    const progress: Line["progress"] = (reached) =>
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
        return yield* teller.note(`${lineOf(result)}; looked at again at the end`)
      }
      results.set(index, result)
      if (result.status === "held" || result.status === "under_way") outlook.leave(index)
      else outlook.end(index, result.status === "done")
      yield* tell(result, isOnly, !isOnly)
      if (turns !== null) yield* turns.counts.end(number)
      yield* tellWhole
    })
  const concurrently = {
    concurrency: turns === null ? request.jobs : Math.max(request.jobs, LOOKS),
    discard: true,
  } as const
  const all = Effect.gen(function* () {
    yield* Effect.forEach(
      tasks,
      (task, index) => attempt(task, index, isOnly || request.dryRun),
      concurrently,
    )
    // The other run may be done with it by now, or be dead.
    yield* Effect.forEach(later, ([task, index]) => attempt(task, index, true), concurrently)
  }).pipe(Effect.ensuring(teller.end))
  const stands = () => {
    if (countOf(ordered()).done === 0 || run.destination.type !== "folder") return ""
    const { path } = run.destination
    return path === null ? " Results stand beside their sources." : ` Results are in ${path}.`
  }
  const stopped = Effect.suspend(() =>
    isOnly
      ? Effect.void
      : teller.note(
          `Stopped after ${results.size} of ${tasks.length}.${results.size === 0 ? "" : ` ${countsOf(countOf(ordered()))}.`}${stands()} The same command goes on, as does earmark transcribe --resume.`,
        ),
  )
  yield* Effect.onInterrupt(all, () => stopped)
  if (tasks.length === 0) return ordered()
  if (!isOnly) yield* tellSkipped(countOf(ordered()), teller)
  const summary = summaryOf(ordered(), countOf(ordered()), request.server !== null)
  if (request.dryRun && !request.json) yield* print(`${summary}\n`)
  else if (!isOnly) yield* teller.note(summary)
  return ordered()
})
