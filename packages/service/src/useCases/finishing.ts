/** From a transcript to everything a done job holds. */
import {
  type Enrichment,
  type Integrity,
  type OptionsSnapshot,
  type Origin,
  type Warning,
  warningOf,
} from "@earmark/core/jobs"
import { identifyLanguage } from "@earmark/core/text"
import {
  type HeardWindow,
  integrityOf,
  joinReports,
  type Span,
  type Transcript,
  textOf,
  wordCountOf,
} from "@earmark/core/transcripts"
import { Cause, Effect } from "effect"
import type { ExtraName, ExtraOutcome, ExtraValue } from "../ports/ExtraStore.js"
import type { Content, Finished } from "../ports/records.js"
import { type Translator, WorkFailed, type Writer } from "../ports/Speech.js"
import type { ChannelPart } from "../transcribe/hearChannels.js"
import type { HeardTiming } from "../transcribe/wordTimes.js"
import { withoutTranslation } from "./cacheKey.js"

interface Made {
  readonly transcript: Transcript
  readonly options: OptionsSnapshot
  readonly origin: Origin
  readonly engine: string | null
  readonly detectedLanguage: Finished["detectedLanguage"]
  /** Where anyone speaks; null when nobody listened. */
  readonly voice: ReadonlyArray<Span> | null
  /** The voice in which no words were found. */
  readonly lost?: ReadonlyArray<Span>
  /** What the engine heard at once; absent for captions. */
  readonly windows?: ReadonlyArray<HeardWindow>
  /** The channels that were heard each by itself, to be judged so; absent where all was heard at once. */
  readonly channels?: ReadonlyArray<ChannelPart>
  /** Where the times of the words come from, and how many are estimated; absent for captions. */
  readonly timing?: HeardTiming
  readonly warnings: ReadonlyArray<Warning>
  readonly speakerNames?: Finished["speakerNames"]
  readonly credits: number
  readonly minutes: number
}

/** Who makes the extras. */
export interface Staff {
  readonly writer: Writer["Type"]
  readonly translator: Translator["Type"]
}

const integrityFor = ({
  transcript: { duration, language, segments },
  voice,
  lost = [],
  windows = [],
  channels = [{ segments, voice, lost, windows }],
  timing,
}: Made): Integrity =>
  joinReports(
    channels.map((channel) =>
      integrityOf({
        ...channel,
        duration,
        interpolated: timing?.estimatedWords ?? 0,
        language,
        textLanguage: identifyLanguage(textOf(channel.segments))?.code ?? null,
      }),
    ),
  )

/** What a user should know about a text that may not be what was said. Only what an engine heard is in doubt. */
const doubtWarnings = (
  { windows = [] }: Pick<Made, "windows">,
  { flags, doubts = [] }: Integrity,
): ReadonlyArray<Warning> => {
  if (windows.length === 0) return []
  if (flags.includes("text_doubtful")) return [warningOf("text_doubtful")]
  return doubts.length > 0 ? [warningOf("parts_doubtful")] : []
}

/** An extra, and what the job says about it. */
interface Extra<A> {
  readonly state: { readonly status: "done" } | { readonly status: "failed"; readonly error: string }
  readonly value: A | null
}

const failedExtra = (name: string, detail = `The ${name} could not be made; everything else is here.`) => ({
  state: { status: "failed", error: detail } as const,
  value: null,
})

/** An extra that was asked for, or why there is none. Nothing that goes wrong here goes further. */
const attempt = <A>(
  name: string,
  isAsked: boolean,
  work: Effect.Effect<A, WorkFailed>,
): Effect.Effect<Extra<A> | null> => {
  if (!isAsked) return Effect.succeed(null)
  return Effect.matchCauseEffect(work, {
    onSuccess: (value) => Effect.succeed<Extra<A>>({ state: { status: "done" }, value }),
    onFailure: (cause) => {
      if (Cause.isInterrupted(cause)) return Effect.interrupt
      const failure = Cause.squash(cause)
      const detail = failure instanceof WorkFailed ? failure.detail : undefined
      return Effect.logWarning(`The ${name} could not be made`, cause).pipe(
        Effect.as(failedExtra(name, detail)),
      )
    },
  })
}

/** The translation of each segment; the segments themselves where they are in that language already. */
const translated = Effect.fnUntraced(function* (
  { segments, language }: Transcript,
  to: string,
  { translate }: Translator["Type"],
) {
  const texts = segments.map(({ text }) => text)
  if (texts.length === 0 || language?.toLowerCase() === to.toLowerCase()) return texts
  const given = yield* translate(texts, { from: language, to })
  if (given.length === texts.length) return given
  return yield* new WorkFailed({
    code: "engine_error",
    isTransient: false,
    detail: "The translation does not fit the transcript; everything else is here.",
  })
})

/** Whether lines that have a text have none in the translation. */
const isIncomplete = ({ segments }: Transcript, texts: ReadonlyArray<string>): boolean =>
  texts.some((each, at) => each.trim() === "" && segments[at]?.text.trim() !== "")

/** One extra of a finished transcript. Whatever goes wrong is its outcome. */
export const makeExtra = Effect.fnUntraced(function* (
  name: ExtraName,
  transcript: Transcript,
  revision: number,
  { writer, translator }: Staff,
): Effect.fn.Return<ExtraOutcome> {
  const done = (value: ExtraValue, lacks = false): ExtraOutcome => ({
    status: "done",
    made: { ...value, revision },
    isIncomplete: lacks,
  })
  const work = (): Effect.Effect<ExtraOutcome, WorkFailed> => {
    switch (name.kind) {
      case "summary":
        return Effect.map(writer.summarize(transcript), (value) =>
          done({ kind: "summary", language: null, value }),
        )
      case "chapters":
        return Effect.map(writer.chapters(transcript), (value) =>
          done({ kind: "chapters", language: null, value }),
        )
      case "translation":
        return Effect.map(translated(transcript, name.language, translator), (value) =>
          done({ ...name, value }, isIncomplete(transcript, value)),
        )
    }
  }
  const extra = yield* attempt(name.kind, true, Effect.suspend(work))
  if (extra?.value) return extra.value
  return { status: "failed", error: extra?.state.status === "failed" ? extra.state.error : "", revision }
})

/** What the terminal transaction writes: extras made, integrity judged. An extra that fails never fails the job. */
export const finish = Effect.fnUntraced(function* (made: Made, { writer, translator }: Staff) {
  const { transcript, options } = made
  const { translateTo } = options
  const text = textOf(transcript.segments)
  const { summary, chapters, translation } = yield* Effect.all(
    {
      summary: attempt("summary", options.summary, writer.summarize(transcript)),
      chapters: attempt("chapters", options.chapters, writer.chapters(transcript)),
      translation: attempt(
        "translation",
        translateTo !== null,
        translated(transcript, translateTo ?? "", translator),
      ),
    },
    { concurrency: "unbounded" },
  )
  const enrichment: Enrichment = {
    ...(summary !== null && { summary: summary.state }),
    ...(chapters !== null && { chapters: chapters.state }),
    ...(translation !== null && { translation: translation.state }),
  }
  const texts = translation?.value ?? null
  const content: Content = {
    language: transcript.language,
    segments: transcript.segments,
    text,
    summary: summary?.value ?? null,
    chapters: chapters?.value ?? null,
    translation: texts === null || translateTo === null ? null : { language: translateTo, texts },
  }
  const integrity = integrityFor(made)
  const finished: Finished = {
    content,
    origin: made.origin,
    engine: made.engine,
    wordTiming: made.timing?.wordTiming ?? null,
    detectedLanguage: made.detectedLanguage,
    durationSeconds: Math.round(transcript.duration / 1000),
    wordCount: wordCountOf(transcript.segments),
    credits: made.credits,
    billedMinutes: made.credits,
    minutes: made.minutes,
    enrichment,
    integrity,
    warnings: [
      ...made.warnings,
      ...doubtWarnings(made, integrity),
      ...(texts !== null && isIncomplete(transcript, texts) ? [warningOf("translation_incomplete")] : []),
    ],
    ...(made.speakerNames !== undefined && { speakerNames: made.speakerNames }),
  }
  return finished
})

/** From what was heard before: extras that were not wanted then, or could not be made, are made now. It costs nothing. */
export const finishHeard = Effect.fnUntraced(function* (
  {
    content,
    durationSeconds,
    engine,
    wordTiming,
    detectedLanguage,
    integrity,
    warnings,
    speakerNames,
  }: Finished,
  options: OptionsSnapshot,
  staff: Staff,
) {
  const { language, segments } = content
  const made = yield* finish(
    {
      transcript: { language, duration: durationSeconds * 1000, segments },
      ...{ options, engine, detectedLanguage, origin: "cache", voice: null, credits: 0, minutes: 0 },
      warnings: withoutTranslation(warnings),
      ...(speakerNames !== undefined && { speakerNames }),
    },
    staff,
  )
  return { ...made, wordTiming, integrity }
})
