import { Effect } from "effect"
import { note, print } from "../output.js"
import { helpOfWarning, shortWarning } from "./explain.js"
import { counted } from "./figures.js"
import { type Run, transcribeOne } from "./oneSource.js"
import { jsonOf, lineOf, type Result } from "./results.js"
import { expandSources } from "./sources.js"
import type { Ended } from "./TranscribeRequest.js"
import { watchFolder } from "./watch.js"

const plural = (counts: Readonly<Record<Result["status"], number>>): string => {
  const parts = [
    `${counts.done} done`,
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
  ]
  return `${counted(counts.done + counts.skipped + counts.failed, "source")}: ${parts.join(", ")}`
}

/** Tells results: data to standard output, the rest beside it. Each kind of warning is explained once. */
const makeTold = ({ request, teller }: Run) => {
  const explained = new Set<string>()
  return Effect.fnUntraced(function* (result: Result, isOnly: boolean) {
    if (request.json) yield* print(`${jsonOf(result)}\n`).pipe(Effect.orDie)
    if (result.status === "failed") {
      // A lone failure is what the whole command ends with.
      if (!isOnly) yield* note(lineOf(result))
      return
    }
    yield* teller.note(lineOf(result))
    if (result.status !== "done") return
    for (const { code } of result.finished.warnings) {
      if (explained.has(code)) continue
      explained.add(code)
      yield* teller.note(`  ${shortWarning(code)}: ${helpOfWarning(code)}`)
    }
    for (const [name, { status, error }] of extrasOf(result)) {
      if (status === "failed") yield* teller.note(`  ${name}: ${error}`)
    }
  })
}

const extrasOf = ({ finished: { enrichment } }: Extract<Result, { status: "done" }>) =>
  (["summary", "chapters", "translation"] as const).map((name) => {
    const extra = enrichment[name]
    const error = extra !== undefined && "error" in extra ? (extra.error ?? "") : ""
    return [name, { status: extra?.status, error }] as const
  })

/** Transcribes every source, one after the other: each has all the cores. */
export const runAll = Effect.fnUntraced(function* (run: Run) {
  const { request, teller } = run
  const items = yield* expandSources(request.sources)
  const tell = makeTold(run)
  const counts = { done: 0, skipped: 0, failed: 0 }
  let last: Result | undefined
  const isOnly = items.length === 1 && request.watch === null
  for (const [index, item] of items.entries()) {
    const position = isOnly ? "" : `[${index + 1}/${items.length}] `
    last = yield* transcribeOne(run, item, position)
    counts[last.status] += 1
    yield* tell(last, isOnly)
  }
  if (request.watch !== null) return yield* watchFolder(run, request.watch, (result) => tell(result, false))
  if (!isOnly) yield* teller.note(plural(counts))
  const ended = (exitCode: Ended["exitCode"], problem: string | null): Ended => ({ exitCode, problem })
  if (counts.failed === 0) return ended(0, null)
  return last?.status === "failed" && isOnly
    ? ended(1, `${last.source}: ${last.message}`)
    : ended(1, `${counts.failed} of ${counted(items.length, "source")} failed. The lines above say why.`)
})
