/** From a transcript to everything a done job holds. */
import type { Enrichment, Integrity, OptionsSnapshot, Origin, Warning } from "@earmark/core/jobs"
import { chaptersOf, identifyLanguage, summarize } from "@earmark/core/text"
import { integrityOf, type Span, type Transcript, textOf, wordCountOf } from "@earmark/core/transcripts"
import { Effect, Either } from "effect"
import type { Content, Finished } from "../ports/records.js"
import type { Translator } from "../ports/Speech.js"

interface Made {
  readonly transcript: Transcript
  readonly options: OptionsSnapshot
  readonly origin: Origin
  readonly engine: string | null
  readonly detectedLanguage: Finished["detectedLanguage"]
  /** Where anyone speaks; null when nobody listened. */
  readonly voice: ReadonlyArray<Span> | null
  readonly warnings: ReadonlyArray<Warning>
  readonly credits: number
}

const integrityFor = ({ transcript, voice }: Made, text: string): Integrity =>
  integrityOf({
    duration: transcript.duration,
    segments: transcript.segments,
    voice,
    language: transcript.language,
    textLanguage: identifyLanguage(text)?.code ?? null,
  })

const done = { status: "done" } as const
const failed = (error: string) => ({ status: "failed", error }) as const

/** The translation of each segment, or why there is none. */
const translate = Effect.fnUntraced(function* (
  { segments, language }: Transcript,
  to: string,
  translator: Translator["Type"],
) {
  const texts = segments.map(({ text }) => text)
  const translated = yield* Effect.either(translator.translate(texts, { from: language, to }))
  if (Either.isLeft(translated)) return failed("The translation could not be made; everything else is here.")
  return translated.right.length === texts.length
    ? { ...done, texts: translated.right }
    : failed("The translation does not fit the transcript; everything else is here.")
})

/** What the terminal transaction writes: extras made, integrity judged. An extra that fails never fails the job. */
export const finish = Effect.fnUntraced(function* (made: Made, translator: Translator["Type"]) {
  const { transcript, options } = made
  const text = textOf(transcript.segments)
  const chapters = options.chapters ? chaptersOf(transcript) : null
  const summary = options.summary ? summarize(transcript).text : null
  const translated =
    options.translateTo === null ? null : yield* translate(transcript, options.translateTo, translator)

  const enrichment: Enrichment = {
    ...(summary !== null && { summary: done }),
    ...(chapters !== null && { chapters: done }),
    ...(translated !== null && {
      translation: translated.status === "done" ? done : failed(translated.error),
    }),
  }
  const content: Content = {
    language: transcript.language,
    segments: transcript.segments,
    text,
    summary,
    chapters,
    translation:
      translated?.status === "done" && options.translateTo !== null
        ? { language: options.translateTo, texts: translated.texts }
        : null,
  }
  const finished: Finished = {
    content,
    origin: made.origin,
    engine: made.engine,
    detectedLanguage: made.detectedLanguage,
    durationSeconds: Math.round(transcript.duration / 1000),
    wordCount: wordCountOf(transcript.segments),
    credits: made.credits,
    billedMinutes: made.credits,
    enrichment,
    integrity: integrityFor(made, text),
    warnings: made.warnings,
  }
  return finished
})
