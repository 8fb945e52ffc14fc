/** How one source ended, for people and for scripts. */
import type { Warning } from "@earmark/core/jobs"
import type { Finished } from "@earmark/service"
import { printable } from "../output.js"
import { shortWarning } from "./explain.js"
import { clockOf, counted } from "./figures.js"
import type { Target } from "./made.js"

export interface Done {
  readonly status: "done"
  readonly source: string
  readonly title: string | null
  readonly finished: Finished
  readonly outputs: ReadonlyArray<Target>
  /** How long it took, in seconds, and how much of the media was heard in that time. */
  readonly tookSeconds: number
  readonly heardSeconds: number
}

export interface Skipped {
  readonly status: "skipped"
  readonly source: string
  readonly outputs: ReadonlyArray<Target>
  readonly reason: string
}

export interface Failed {
  readonly status: "failed"
  readonly source: string
  readonly code: string
  readonly message: string
}

export type Result = Done | Skipped | Failed

const speedOf = ({ heardSeconds, tookSeconds, finished }: Done): number | null =>
  finished.origin !== "engine" || tookSeconds <= 0 || heardSeconds <= 0
    ? null
    : Number((heardSeconds / tookSeconds).toFixed(1))

const speakersOf = ({ content }: Finished): number =>
  new Set(content.segments.flatMap(({ speaker }) => (speaker === null ? [] : [speaker]))).size

const outputsOf = (outputs: ReadonlyArray<Target>) => outputs.map(({ format, path }) => ({ format, path }))

/** The line of a source on standard output, with `--json`. */
export const jsonOf = (result: Result): string => {
  const { source, status } = result
  if (result.status === "failed") {
    return JSON.stringify({ source, status, failure: { code: result.code, message: result.message } })
  }
  if (result.status === "skipped") {
    return JSON.stringify({ source, status, reason: result.reason, outputs: outputsOf(result.outputs) })
  }
  const { finished, title, outputs, tookSeconds } = result
  return JSON.stringify({
    source,
    status,
    title,
    outputs: outputsOf(outputs),
    origin: finished.origin,
    engine: finished.engine,
    language: finished.content.language,
    duration_seconds: finished.durationSeconds,
    words: finished.wordCount,
    speakers: speakersOf(finished),
    took_seconds: Number(tookSeconds.toFixed(2)),
    speed: speedOf(result),
    warnings: finished.warnings,
    enrichment: finished.enrichment,
  })
}

const shown = (outputs: ReadonlyArray<Target>): string =>
  outputs.length === 0 ? "" : ` -> ${outputs.map(({ path }) => printable(path)).join(", ")}`

const byWhom = ({ finished }: Done): string =>
  finished.origin === "engine" ? `by ${finished.engine ?? "an engine"}` : "from the publisher's captions"

const remarks = (warnings: ReadonlyArray<Warning>): string =>
  warnings.length === 0 ? "" : ` (${warnings.map(({ code }) => shortWarning(code)).join(", ")})`

/** The line of a source for people. */
export const lineOf = (result: Result): string => {
  const name = printable(result.source)
  if (result.status === "failed") return `${name}: failed: ${result.message}`
  if (result.status === "skipped") return `${name}: skipped: ${result.reason}`
  const { finished, outputs } = result
  const speed = speedOf(result)
  const facts = [
    clockOf(finished.durationSeconds),
    counted(finished.wordCount, "word"),
    ...(speakersOf(finished) > 0 ? [counted(speakersOf(finished), "speaker")] : []),
    byWhom(result) + remarks(finished.warnings),
    ...(speed === null ? [] : [`${speed}x real time`]),
  ]
  return `${name}${shown(outputs)}: ${facts.join(", ")}`
}
