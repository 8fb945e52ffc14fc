/** Transcribes on this machine. Loaded when a source is: a plan does without. */
import type { OptionsSnapshot } from "@earmark/core/jobs"
import { type AloneSource, exportOf, type Finished, type WorkFailed } from "@earmark/service"
import { Data, Effect, Either } from "effect"
import type { Explain } from "../Problem.js"
import { SourceFailed } from "../SourceFailed.js"
import { keepUnfinished, type Unfinished } from "../state/unfinished.js"
import { knownNames } from "./knownNames.js"
import type { Transcribers } from "./Transcribers.js"
import type { Facts, Following, Made } from "./Workplace.js"

const speakersOf = ({ content }: Finished): number =>
  new Set(content.segments.flatMap(({ speaker }) => (speaker === null ? [] : [speaker]))).size

/** Models have come while a source was looked at: it begins again, with the engine that they make. */
class ModelsCame extends Data.TaggedError("ModelsCame") {}

const tellKept = ({ line }: Following, { kept }: Unfinished) =>
  Effect.suspend(() => {
    const { spans, seconds, folder } = kept()
    return line.notice({ type: "source_stopped", source: line.name, spans, seconds, folder })
  })

const inSeconds = <Place extends { readonly start: number; readonly end: number }>(place: Place): Place => ({
  ...place,
  start: place.start / 1000,
  end: place.end / 1000,
})

interface Options {
  /** Where what is unfinished is kept. */
  readonly folder: string
  readonly transcribers: Transcribers
  readonly explain: Explain
  readonly sourceFailed: (failure: WorkFailed | SourceFailed) => SourceFailed
}

export const transcribeHere = ({ folder, transcribers, explain, sourceFailed }: Options) => {
  /** Whoever begins behind the end has the wrong file or the wrong time; to hear nothing would tell neither. */
  const beginsInside = ({ startAt }: OptionsSnapshot, length: number | null) =>
    startAt === null || length === null || startAt < length * 1000
      ? Effect.void
      : new SourceFailed({
          code: "no_speech",
          message: explain({ reason: "starts_after_end", start: startAt / 1000, length }),
        })

  const made = (title: string | null, finished: Finished, unfinished: Unfinished, heard: number): Made => {
    const { content, origin, engine, durationSeconds, wordCount, warnings, enrichment } = finished
    const facts: Facts = {
      id: null,
      origin,
      engine,
      language: content.language,
      durationSeconds,
      words: wordCount,
      speakers: speakersOf(finished),
      heardSeconds: origin === "engine" ? heard * unfinished.kept().freshShare : 0,
      summary: content.summary,
      warnings,
      gaps: (finished.integrity?.gaps ?? []).map(inSeconds),
      doubts: (finished.integrity?.doubts ?? []).map(inSeconds),
      wordTiming: finished.wordTiming,
      enrichment,
    }
    const exporting: Made["export"] = (format, { wordLevel, layout }) => {
      const { speakerNames = {}, wordTiming, integrity } = finished
      const job = { id: null, title, durationSeconds, speakerNames, wordTiming, integrity }
      const { translation } = content
      const translated = translation !== null && { language: translation.language }
      const query = { format, wordLevel, ...layout, ...translated }
      return Either.match(exportOf(job, content, query), {
        onLeft: ({ code, message }) =>
          Effect.fail(new SourceFailed({ code, message: `${format}: ${message}` })),
        onRight: ({ chunks }) => Effect.succeed(chunks),
      })
    }
    const named: Made["named"] = (asked, notice) => {
      const { names, missing } = knownNames(asked, content.segments, finished.speakerNames)
      const speakerNames = Object.fromEntries(
        Object.entries({ ...finished.speakerNames, ...names }).flatMap(([label, name]) =>
          name === null ? [] : [[label, name]],
        ),
      )
      return Effect.as(
        missing.length === 0 ? Effect.void : notice({ type: "speakers_missing", labels: missing }),
        made(title, { ...finished, speakerNames }, unfinished, heard),
      )
    }
    const corrected: Made["corrected"] = (newest) =>
      made(title, { ...finished, content: newest }, unfinished, heard)
    return { facts, finished, export: exporting, named, corrected, settled: unfinished.discard }
  }

  return (source: AloneSource, title: string | null, options: OptionsSnapshot, following: Following) => {
    const { line, allow, known } = following
    const unfinished = keepUnfinished({
      folder,
      report: line.progress,
      onResume: line.notice({ type: "resumed", source: line.name }),
      onTrouble: (detail) => line.notice({ type: "not_resumable", source: line.name, detail }),
    })
    const watching = {
      checkpoints: unfinished.checkpoints,
      follow: ({
        start,
        words,
      }: {
        readonly start: number
        readonly words: ReadonlyArray<{ readonly text: string; readonly speaker: string | null }>
      }) => {
        // Of a channel that is one speaker all words have its label.
        const speaker = words[0]?.speaker ?? null
        const text = words.map((word) => word.text).join(" ")
        return line.heard(start, speaker === null ? text : `${speaker}: ${text}`)
      },
      phase: line.phase,
      known,
    }
    const { startAt, endAt, language } = options
    const attempt = Effect.gen(function* () {
      const { alone, isCurrent } = yield* transcribers.forLanguage(language)
      const models = Effect.gen(function* () {
        const came = yield* transcribers.getModels(options, line)
        if (came) yield* transcribers.renew
        if (!isCurrent()) return yield* new ModelsCame()
      })
      return yield* alone.transcribe<SourceFailed | ModelsCame>(source, options, {
        ...watching,
        listening: (seconds, isOpen) =>
          beginsInside(options, isOpen ? seconds : null).pipe(
            Effect.zipRight(models),
            Effect.zipRight(transcribers.listening(language)),
            Effect.zipRight(allow(seconds, isOpen)),
          ),
      })
    })
    const again = Effect.retry(attempt, { while: ({ _tag }) => _tag === "ModelsCame" })
    return again.pipe(
      Effect.catchTag("ModelsCame", Effect.die),
      Effect.mapError(sourceFailed),
      Effect.map((finished) => {
        const end = Math.min(finished.durationSeconds, (endAt ?? Number.POSITIVE_INFINITY) / 1000)
        return made(title, finished, unfinished, Math.max(0, end - (startAt ?? 0) / 1000))
      }),
      Effect.onInterrupt(() => Effect.zipRight(line.end, tellKept(following, unfinished))),
    )
  }
}
