import { appendFile, readdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Warning } from "@earmark/core/jobs"
import type { Checkpoints, HearingProgress, Span } from "@earmark/service"
import { Clock, Effect, Option, Schema } from "effect"
import { makeFolders } from "../results/makeFolders.js"

const Line = Schema.parseJson(
  Schema.Struct({
    index: Schema.NonNegativeInt,
    start: Schema.Finite,
    end: Schema.Finite,
    words: Schema.Array(
      Schema.Struct({
        text: Schema.String,
        start: Schema.Finite,
        end: Schema.Finite,
        confidence: Schema.NullOr(Schema.Finite),
        speaker: Schema.NullOr(Schema.String),
      }),
    ),
    notes: Schema.optionalWith(
      Schema.Struct({
        language: Schema.NullOr(Schema.Struct({ code: Schema.String, confidence: Schema.Finite })),
        warnings: Schema.Array(Warning),
        timing: Schema.optionalWith(Schema.Literal("aligned", "estimated"), { exact: true }),
        misfit: Schema.optionalWith(Schema.Finite, { exact: true }),
      }),
      { exact: true },
    ),
  }),
)

const readLine = Schema.decodeUnknownOption(Line)

/** What is left unfinished for so long, nobody will go on with. */
const FORGOTTEN = 30 * 86_400_000

/** What was heard of one media file, in a file of its own. */
export interface Unfinished {
  readonly checkpoints: Checkpoints
  /** How many spans are kept and in which folder (null: none can be), how far they reach, and which share was heard in this run. */
  readonly kept: () => {
    readonly spans: number
    readonly folder: string | null
    readonly seconds: number
    readonly freshShare: number
  }
  /** The work is done: nothing is left to go on with. */
  readonly discard: Effect.Effect<void>
}

interface Options {
  readonly folder: string
  readonly report: (progress: HearingProgress) => Effect.Effect<void>
  /** Something is there from an earlier run. */
  readonly onResume: Effect.Effect<void>
  /** The folder cannot be written: the work goes on, and is not kept. Told once. */
  readonly onTrouble: (message: string) => Effect.Effect<void>
}

/** The lines that are whole; a process that was killed may have left half a one. */
const spansIn = (text: string): ReadonlyArray<Span> => {
  const spans = new Map<number, Span>()
  for (const line of text.split("\n")) {
    const span = line === "" ? Option.none() : readLine(line)
    if (Option.isSome(span)) spans.set(span.value.index, span.value)
  }
  return [...spans.values()].sort((left, right) => left.index - right.index)
}

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => (cause instanceof Error ? cause.message : String(cause)) })

const sweep = Effect.fnUntraced(function* (folder: string) {
  const now = yield* Clock.currentTimeMillis
  for (const name of yield* attempt(() => readdir(folder))) {
    const path = join(folder, name)
    const { mtimeMs } = yield* attempt(() => stat(path))
    if (name.endsWith(".jsonl") && now - mtimeMs > FORGOTTEN) yield* attempt(() => rm(path, { force: true }))
  }
})

/**
 * Keeps finished spans as lines, one file for each plan. A span is on its way to the disk before the next one is heard; two processes
 * with the same plan write the same spans.
 */
export const keepUnfinished = ({ folder, report, onResume, onTrouble }: Options): Unfinished => {
  let path: string | undefined
  let spans = 0
  let before = 0
  let fresh = 0
  let seconds = 0
  let isLost = false

  const load = Effect.fnUntraced(function* (plan: string) {
    yield* Effect.ignore(sweep(folder))
    const ready = yield* Effect.either(attempt(() => makeFolders(folder, 0o700)))
    if (ready._tag === "Left") {
      isLost = true
      yield* onTrouble(ready.left)
      return []
    }
    path = join(folder, `${plan}.jsonl`)
    const file = path
    const text = yield* attempt(() => readFile(file, "utf8")).pipe(Effect.orElseSucceed(() => ""))
    const found = spansIn(text)
    before = found.reduce((sum, { start, end }) => sum + end - start, 0)
    spans = found.length
    seconds = found.reduce((last, { end }) => Math.max(last, end / 1000), 0)
    // What is begun is told as such: the first share of a short recording is nearly all of it.
    yield* spans > 0 ? onResume : report({ heardSeconds: 0, share: 0, secondsLeft: null })
    return found
  })

  const save = Effect.fnUntraced(function* (span: Span) {
    const file = path
    if (file === undefined) return
    // A line begins with its own end of line: whatever half line stands before it stays alone.
    yield* attempt(() => appendFile(file, `\n${JSON.stringify(span)}\n`, { mode: 0o600 })).pipe(
      Effect.matchEffect({
        onSuccess: () =>
          Effect.sync(() => {
            spans += 1
            seconds = Math.max(seconds, span.end / 1000)
            fresh += span.end - span.start
          }),
        onFailure: (message) => {
          path = undefined
          isLost = true
          return onTrouble(message)
        },
      }),
    )
  })

  return {
    checkpoints: {
      load,
      save,
      report,
    },
    kept: () => ({
      spans,
      folder: isLost && spans === 0 ? null : folder,
      seconds,
      freshShare: before === 0 ? 1 : fresh / (before + fresh),
    }),
    discard: Effect.suspend(() => {
      const file = path
      return file === undefined ? Effect.void : Effect.ignore(attempt(() => rm(file, { force: true })))
    }),
  }
}
