/** Tells the results of a run, and how it ended. */
import { type Counts, countOf, type Done, isTaken, jsonOf, type OnResult, type Result } from "@earmark/batch"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.js"
import { note, print } from "../output.js"
import { helpOfWarning, shortWarning } from "./explain.js"
import type { makeHints } from "./hints.js"
import { exitCodeOf, lineOf, remarkLines, worthTelling } from "./results.js"
import { summaryOf } from "./summary.js"
import type { Teller } from "./Teller.js"
import type { TranscribeRequest } from "./TranscribeRequest.js"

/** What a table does not say of those that it calls skipped. */
const tellSkipped = (counts: Counts, teller: Teller) => {
  const done = counts.skipped - counts.taken
  if (done === 0) return Effect.void
  const changed =
    counts.changed === 0 ? "" : ` Changed since: ${counts.changed}. --force overwrites the changes.`
  return teller.note(`Done already: ${done}. To transcribe again, add --force.${changed}`)
}

const extrasOf = ({ facts: { enrichment } }: Done) =>
  (["summary", "chapters", "translation"] as const).map((name) => {
    const extra = enrichment[name]
    const error = extra !== undefined && "error" in extra ? (extra.error ?? "") : ""
    return [name, { status: extra?.status, error }] as const
  })

/** `--force` asks for work that no server repeats. */
const NOT_AGAIN =
  "  --force: the server gave what it had made of this recording before. Only the files were written again."

const KEPT = "  The library keeps it too: earmark jobs list. --no-keep keeps nothing."

/** Tells results: data to standard output, the rest beside it. Each kind of warning is explained once. */
export const makeTell = (
  request: TranscribeRequest,
  teller: Teller,
  hint: ReturnType<typeof makeHints>,
): OnResult<CommandFailed> =>
  Effect.fnUntraced(function* (result, { isOnly, isListed }) {
    if (request.json) yield* print(`${jsonOf(result)}\n`)
    if (result.status === "failed" || result.status === "under_way" || isTaken(result)) {
      // A lone failure is what the whole command ends with.
      if (isOnly) return
      yield* request.quiet ? note(lineOf(result)) : teller.note(lineOf(result))
      return
    }
    // What nothing was done for is told at the end, and so is a plan.
    if (result.status === "done" || (!isListed && result.status !== "planned"))
      yield* teller.note(lineOf(result))
    if (result.status !== "done") return
    if (request.force && request.server !== null && result.facts.origin === "cache")
      yield* teller.note(NOT_AGAIN)
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

/** Why a lone source has no result; null where it has one. */
const problemOf = (result: Result): string | null => {
  switch (result.status) {
    case "failed":
      return `${result.source}: ${result.message}`
    case "held":
    case "under_way":
      return lineOf(result)
    case "skipped":
      return result.isTaken ? lineOf(result) : null
    default:
      return null
  }
}

const countIn = (count: number, all: number): string => {
  if (count < all) return `${count} of ${all} sources`
  return all === 1 ? "The source" : `All ${all} sources`
}

/** Why a run of several sources did not do everything. */
const whyNot = (counts: Counts, all: number): string => {
  const reasons: ReadonlyArray<readonly [count: number, one: string, many: string, why: string]> = [
    [counts.failed, "failed", "failed", ". The lines above say why."],
    [
      counts.taken,
      "was skipped and has no result of its own",
      "were skipped and have no result of their own",
      ", since another or a changed file has the name of the result. The lines above say which.",
    ],
    [
      counts.held,
      "was not begun",
      "were not begun",
      ", since a limit would be passed. Run it again with a higher one.",
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
    .map(([count, one, many, why]) => `${countIn(count, all)} ${count === 1 ? one : many}${why}`)
    .join(" ")
}

/** How a run ended: fails where not everything is as it was asked for. */
export const endOf = (results: ReadonlyArray<Result>, isOnly = false): Effect.Effect<void, CommandFailed> => {
  const counts = countOf(results)
  const exitCode = exitCodeOf(counts)
  if (exitCode === 0) return Effect.void
  const [first] = results
  const problem = isOnly && first !== undefined ? problemOf(first) : whyNot(counts, results.length)
  return Effect.fail(new CommandFailed({ message: problem ?? "", exitCode }))
}

/** What a run of several sources came to; of a lone one its own line told it. */
export const tellEnd = Effect.fnUntraced(function* (
  request: TranscribeRequest,
  teller: Teller,
  results: ReadonlyArray<Result>,
  isOnly: boolean,
) {
  if (results.length === 0) return
  const counts = countOf(results)
  if (!isOnly) yield* tellSkipped(counts, teller)
  const summary = summaryOf(results, counts)
  if (request.dryRun && !request.json) yield* print(`${summary}\n`)
  else if (!isOnly) yield* teller.note(summary)
})
