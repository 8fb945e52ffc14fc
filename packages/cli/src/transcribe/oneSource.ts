import { mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { ExportFormat } from "@earmark/core/captions"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import { exportOf, type Finished, type makeTranscribeAlone, type WorkFailed } from "@earmark/service"
import { Clock, Effect, Either } from "effect"
import { failed } from "../CommandFailed.js"
import { print, writeFile } from "../output.js"
import { type Destination, placeOf } from "./destination.js"
import { clockOf } from "./figures.js"
import type { Origin, rememberMade, Target } from "./made.js"
import type { Done, Failed, Result, Skipped } from "./results.js"
import { type Located, locate, SourceFailed, sourceFailed } from "./source.js"
import type { Item } from "./sources.js"
import type { Teller } from "./Teller.js"
import type { TranscribeRequest } from "./TranscribeRequest.js"
import { keepUnfinished, type Unfinished } from "./unfinished.js"

/** What the work on every source of a run has in common. */
export interface Run {
  readonly request: TranscribeRequest
  readonly formats: ReadonlyArray<ExportFormat>
  readonly options: OptionsSnapshot
  readonly destination: Destination
  readonly transcribe: Effect.Effect.Success<typeof makeTranscribeAlone>
  /** Fails where no engine is here. */
  readonly listening: Effect.Effect<void, WorkFailed>
  readonly made: ReturnType<typeof rememberMade>
  readonly state: string
  readonly teller: Teller
}

/** Where the results of a source go: paths, or standard output (null). */
interface Wanted {
  readonly targets: ReadonlyArray<Target> | null
  readonly origin: Origin
  readonly skip: Skipped | null
}

const skipped = (item: Item, outputs: ReadonlyArray<Target>, isOthers: boolean): Skipped => {
  const names = outputs.map(({ path }) => path).join(", ")
  const are = outputs.length === 1 ? "is" : "are"
  const reason = isOthers
    ? `${names} ${are} there already, and not known to be Earmark's (--force writes over)`
    : `${names} ${are} there already (--force makes anew)`
  return { status: "skipped", source: item.name, outputs, reason }
}

const where = Effect.fnUntraced(function* (run: Run, item: Item, located: Located) {
  const { request, formats, destination, made } = run
  const asked = JSON.stringify([located.state, run.options, request.engine, request.wordLevel])
  const origin: Origin = { source: located.identity, asked }
  const wanted = (targets: Wanted["targets"], skip: Wanted["skip"] = null): Wanted => ({
    targets,
    origin,
    skip,
  })
  if (destination.type === "output") return wanted(null)
  if (destination.type === "file") {
    const targets = formats.map((format) => ({ format, path: destination.path }))
    const isDone = !request.force && (yield* made.isDone(destination.path, origin))
    return wanted(targets, isDone ? skipped(item, targets, false) : null)
  }
  const place = placeOf(item, located.title, destination.path)
  const { targets, present, isOthers } = yield* made.choose(place, formats, origin, request.force)
  return wanted(targets, targets.length === 0 ? skipped(item, present, isOthers) : null)
})

const exported = (run: Run, format: ExportFormat, title: string | null, finished: Finished) =>
  Either.mapLeft(
    exportOf(
      { id: null, title, durationSeconds: finished.durationSeconds, speakerNames: {} },
      finished.content,
      {
        format,
        wordLevel: run.request.wordLevel,
        ...(finished.content.translation !== null && { language: finished.content.translation.language }),
      },
    ),
    ({ code, message }) => new SourceFailed({ code, message: `${format}: ${message}` }),
  )

const unwritten = ({ message }: { readonly message: string }) =>
  new SourceFailed({ code: "internal_error", message })

const writeTargets = Effect.fnUntraced(function* (
  run: Run,
  { targets, origin }: Wanted,
  title: string | null,
  finished: Finished,
) {
  if (targets === null) {
    for (const format of run.formats) {
      const { chunks } = yield* exported(run, format, title, finished)
      yield* Effect.forEach(chunks, print, { discard: true }).pipe(Effect.mapError(unwritten))
    }
    return
  }
  for (const { format, path } of targets) {
    const { chunks } = yield* exported(run, format, title, finished)
    if (run.destination.type === "folder") {
      yield* Effect.tryPromise({
        try: () => mkdir(dirname(path), { recursive: true }),
        catch: () =>
          unwritten(failed(`The folder ${dirname(path)} cannot be made; name one that you may write to.`)),
      })
    }
    yield* writeFile(path, chunks).pipe(Effect.mapError(unwritten))
    yield* run.made.remember(path, origin)
  }
})

const tellKept = (run: Run, item: Item, { kept }: Unfinished) =>
  Effect.suspend(() => {
    const { spans, seconds } = kept()
    if (spans === 0) return Effect.void
    return run.teller.note(`${item.name}: stopped at ${clockOf(seconds)}; the same command goes on there.`)
  })

const work = Effect.fnUntraced(function* (run: Run, item: Item) {
  const { teller } = run
  const began = yield* Clock.currentTimeMillis
  const located = yield* locate(item, run.request.episode)
  const wanted = yield* where(run, item, located)
  if (wanted.skip !== null) return wanted.skip
  const unfinished = keepUnfinished({
    folder: join(run.state, "unfinished"),
    report: teller.progress,
    onResume: teller.note(`${item.name}: going on with what an earlier run has heard.`),
    onTrouble: (message) =>
      teller.note(`${item.name}: what is heard cannot be kept for another run (${message}).`),
  })
  const finished = yield* run
    .transcribe(located.source, run.options, {
      checkpoints: unfinished.checkpoints,
      follow: ({ start, words }) => teller.heard(start, words.map(({ text }) => text).join(" ")),
      phase: teller.phase,
      listening: run.listening,
    })
    .pipe(
      Effect.mapError(sourceFailed),
      Effect.onInterrupt(() => Effect.zipRight(teller.end, tellKept(run, item, unfinished))),
    )
  yield* teller.end
  yield* writeTargets(run, wanted, located.title, finished)
  yield* unfinished.discard
  const { startAt, endAt } = run.options
  const end = Math.min(finished.durationSeconds, (endAt ?? Number.POSITIVE_INFINITY) / 1000)
  const done: Done = {
    status: "done",
    source: item.name,
    title: located.title,
    finished,
    outputs: wanted.targets ?? [],
    tookSeconds: ((yield* Clock.currentTimeMillis) - began) / 1000,
    heardSeconds: Math.max(0, end - (startAt ?? 0) / 1000) * unfinished.kept().freshShare,
  }
  return done
}, Effect.scoped)

/** Transcribes one source and writes its results. What goes wrong is a result too. */
export const transcribeOne = (run: Run, item: Item, position: string) =>
  Effect.zipRight(run.teller.begin(item.name, position), work(run, item)).pipe(
    Effect.catchTag("SourceFailed", ({ code, message }) => {
      const result: Failed = { status: "failed", source: item.name, code, message }
      return Effect.succeed(result)
    }),
    Effect.map((result): Result => result),
    Effect.ensuring(run.teller.end),
  )
