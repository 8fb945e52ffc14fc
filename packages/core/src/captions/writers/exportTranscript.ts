import * as Either from "effect/Either"
import { hasWordTimes } from "../../text/hasWordTimes.js"
import type { Doubt } from "../../transcripts/doubts.js"
import { united } from "../../transcripts/spans.js"
import type { Segment } from "../../transcripts/Transcript.js"
import { type CaptionProfileName, captionProfile } from "../CaptionProfile.js"
import { clock } from "../timestamps.js"
import type { CueSheet } from "./CueSheet.js"
import type { ExportDocument } from "./ExportDocument.js"
import { ExportRefused, noWordTimes } from "./ExportRefused.js"
import { type ExportFormat, exportFormats, type FormatFacts } from "./exportFormats.js"
import { inChunks } from "./inChunks.js"
import { makeScript } from "./makeScript.js"
import type { Script } from "./Script.js"
import { scriptCues, scriptWordCues } from "./scriptCues.js"
import { writeChapters } from "./writeChapters.js"
import { isCueFormat, writeCueSheet } from "./writeCueSheet.js"
import { writeDocx } from "./writeDocx.js"
import { writeHtml } from "./writeHtml.js"
import { writeJson } from "./writeJson.js"
import { writeMarkdown } from "./writeMarkdown.js"
import { type PageFacts, writePage } from "./writePage.js"
import { writeCtm, writeRttm } from "./writeScoring.js"
import { writeCsv, writeTsv } from "./writeTables.js"
import { writeTxt } from "./writeTxt.js"

export interface ExportOptions {
  readonly format: ExportFormat
  /** Formats made of cues only; `standard` when left out, `podcast` for `podcast_json`. */
  readonly profile?: CaptionProfileName | undefined
  readonly maxCharsPerLine?: number | undefined
  readonly maxLines?: number | undefined
  readonly wordLevel?: boolean | undefined
  /** `false` leaves the speakers out. */
  readonly speakers?: boolean | undefined
  /** The language of the transcript or of its translation; the transcript's own when left out. */
  readonly language?: string | null | undefined
  /** Where the transcript comes from, for a comment in formats that have comments; none when left out. */
  readonly provenance?: string | undefined
  /** With `html`: a page with a player and links, as it is published. */
  readonly page?: PageFacts | undefined
}

/** An export that can be read any number of times, always the same bytes. */
export interface Export {
  readonly format: ExportFormat
  readonly contentType: string
  /** With its dot. */
  readonly extension: string
  /** What the transcript is about, for the name of the file; null where it has no title. */
  readonly title: string | null
  /** Text is to be encoded as UTF-8. Made while it is read, so a long transcript takes no more memory than a short one. */
  readonly chunks: Iterable<string | Uint8Array>
}

interface Chosen {
  readonly segments: ReadonlyArray<Segment>
  readonly language: string | null
  readonly isTranslation: boolean
}

const choose = (document: ExportDocument, language: string | null | undefined): Chosen | null => {
  const { translation } = document
  if (language === undefined || language === null || language === document.language)
    return { segments: document.segments, language: document.language, isTranslation: false }
  if (translation?.language !== language) return null
  return { segments: translation.segments, language, isTranslation: true }
}

const refuse = (code: ExportRefused["code"], option: ExportRefused["option"], message: string) =>
  Either.left(new ExportRefused({ code, option, message }))

const factsOf = (format: ExportFormat): FormatFacts | undefined =>
  Object.hasOwn(exportFormats, format) ? exportFormats[format] : undefined

/** An iterable that begins anew each time it is read. */
const reread = <Item>(read: () => Iterable<Item>): Iterable<Item> => ({
  [Symbol.iterator]: () => read()[Symbol.iterator](),
})

/** Said in formats that have comments, before times of words that are no facts. */
const ESTIMATED = "The times of single words are estimated."

const MOST_PLACES = 5

/** Said in formats that have comments, where the text may not be what was said. */
const doubtsNote = (doubts: ReadonlyArray<Doubt>): string | undefined => {
  if (doubts.length === 0) return undefined
  const spans = united(doubts)
  const places = spans.slice(0, MOST_PLACES).map(({ start, end }) => `${clock(start)} to ${clock(end)}`)
  const more = spans.length > MOST_PLACES ? `, and ${spans.length - MOST_PLACES} more` : ""
  return `The text may not be what was said: ${places.join(", ")}${more}.`
}

const cueSheet = (script: Script, document: ExportDocument, options: ExportOptions): CueSheet => {
  const name = options.profile ?? (options.format === "podcast_json" ? "podcast" : "standard")
  const profile = captionProfile(name, {
    language: script.language,
    maxCharsPerLine: options.maxCharsPerLine,
    maxLines: options.maxLines,
  })
  const { format } = options
  const isEstimated = script.wordLevel && document.wordTiming === "estimated"
  const notes = [
    options.provenance,
    isEstimated ? ESTIMATED : undefined,
    doubtsNote(document.doubts ?? []),
  ].filter((text) => text !== undefined)
  const byWord = script.wordLevel && (format === "srt" || format === "podcast_json")
  const namesInText = format === "srt" || (format === "vtt" && profile.speakerAs === "prefix")
  return {
    cues: reread(() => (byWord ? scriptWordCues(script) : scriptCues(script, profile, { namesInText }))),
    language: script.language,
    title: script.title,
    speakers: script.speakers,
    speakerAs: byWord ? "prefix" : namesInText ? "text" : "voice",
    wordLevel: script.wordLevel,
    note: notes.length === 0 ? null : notes.join("\n"),
  }
}

const write = (script: Script, document: ExportDocument, options: ExportOptions) => {
  const { format } = options
  if (isCueFormat(format)) return writeCueSheet(format, cueSheet(script, document, options))
  switch (format) {
    case "txt":
      return inChunks(writeTxt(script))
    case "md":
      return inChunks(writeMarkdown(script))
    case "html":
      return inChunks(options.page === undefined ? writeHtml(script) : writePage(script, options.page))
    case "csv":
      return inChunks(writeCsv(script))
    case "tsv":
      return inChunks(writeTsv(script))
    case "ctm":
      return inChunks(writeCtm(script))
    case "rttm":
      return inChunks(writeRttm(script))
    case "chapters":
      return inChunks(writeChapters(script))
    case "docx":
      return writeDocx(script)
    case "json":
      return inChunks(
        writeJson(document, { wordLevel: script.wordLevel, speakers: options.speakers ?? true }),
      )
  }
}

/** A transcript in a format for people or other programs. The same document and options give the same bytes. */
export const exportTranscript = (
  document: ExportDocument,
  options: ExportOptions,
): Either.Either<Export, ExportRefused> => {
  const { format } = options
  const facts = factsOf(format)
  if (facts === undefined) return refuse("invalid_request", "format", `There is no export format ${format}.`)
  const wordLevel = options.wordLevel === true
  if (wordLevel && !facts.wordLevel)
    return refuse("invalid_request", "wordLevel", `The format ${format} cannot show the time of each word.`)
  const chosen = choose(document, options.language)
  if (chosen === null)
    return refuse(
      "no_translation",
      "language",
      `The transcript has no translation to ${options.language} yet. Ask for one with the extras of the transcription (translate_to).`,
    )
  if ((wordLevel || format === "ctm") && (chosen.isTranslation || !hasWordTimes(chosen.segments)))
    return Either.left(noWordTimes())
  const script = makeScript(document, { ...chosen, wordLevel, speakers: options.speakers !== false })
  return Either.right({
    format,
    contentType: facts.contentType,
    extension: facts.extension,
    title: document.title ?? null,
    chunks: reread<string | Uint8Array>(() => write(script, document, options)),
  })
}
