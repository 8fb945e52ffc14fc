import * as Either from "effect/Either"
import { finished, type InTurns } from "../text/inTurns.js"
import { type CaptionFile, Problems, type Reading } from "./CaptionFile.js"
import type { CaptionFormat } from "./captionFormats.js"
import { NotCaptions } from "./NotCaptions.js"
import { readSubtitles } from "./readCues.js"
import { decodeText } from "./readers/decodeText.js"
import { readAss } from "./readers/readAss.js"
import { readHtml } from "./readers/readHtml.js"
import { readJson } from "./readers/readJson.js"
import { readSbv } from "./readers/readSbv.js"
import { CSV_HEAD, isCtm, readCtm, readTable, TSV_HEAD } from "./readers/readTables.js"
import { isTimedText, readTimedText } from "./readers/readTimedText.js"
import { readTtml } from "./readers/readTtml.js"
import { hasVttSignature } from "./readers/readVtt.js"
import { withSpeakersFromPrefixes } from "./readers/speakerPrefixes.js"

type TextFormat = "vtt" | "srt" | "sbv" | "ass" | "ttml" | "html" | "csv" | "tsv" | "ctm" | "txt"

const HEAD = 4096
const SBV = /^\s*\d+:\d{1,2}:\d{1,2}\.\d{1,3},\d+:\d{1,2}:\d{1,2}\.\d{1,3}[ \t]*\n/
const ASS = /^\[(?:script info|events|v4\+? styles)\]|^dialogue:/im
const TTML = /<(?:[A-Za-z]\w*:)?tt[\s>]/
const SRT_TIME = /\d:\d{1,2}(?:[.,]\d+)?[ \t]*-->[ \t]*\d+:\d/
/** Other arrows stand in prose, too: only whole times on a line of their own count. */
const ODD_SRT_TIME = /^\d+:\d\d:\d\d[.,]\d+[ \t]*(?:[-=–—]+>|→)[ \t]*\d+:\d\d:\d\d[.,]\d+[ \t]*$/m

/** What a text is, by its content; null for JSON, which is told apart by its fields. */
const detect = (text: string): TextFormat | "json" | null => {
  if (hasVttSignature(text)) return "vtt"
  const head = text.slice(0, HEAD).trimStart()
  if (head.startsWith("{") || (head.startsWith("[") && !ASS.test(head))) return "json"
  if (SBV.test(head)) return "sbv"
  if (ASS.test(head)) return "ass"
  if (CSV_HEAD.test(head)) return "csv"
  if (TSV_HEAD.test(head)) return "tsv"
  if (isCtm(head)) return "ctm"
  if (head.startsWith("<")) return TTML.test(head) ? "ttml" : "html"
  if (SRT_TIME.test(text) || ODD_SRT_TIME.test(text)) return "srt"
  return isTimedText(head) ? "txt" : null
}

/** Whether a text without cues is a file of this format all the same: it has what begins one, or has nothing. */
const isEmptyFile = (format: TextFormat, text: string): boolean => {
  if (format === "vtt" || text.trim() === "") return format !== "html"
  const head = text.slice(0, HEAD)
  if (format === "csv" || format === "tsv") return CSV_HEAD.test(head) || TSV_HEAD.test(head)
  return (format === "ass" && ASS.test(head)) || (format === "ttml" && TTML.test(head))
}

function* readAs(format: TextFormat, text: string, problems: Problems): InTurns<Reading> {
  switch (format) {
    case "vtt":
    case "srt":
      return yield* readSubtitles(format, text, problems)
    case "sbv":
      return yield* readSbv(text, problems)
    case "ass":
      return yield* readAss(text, problems)
    case "ttml":
      return yield* readTtml(text, problems)
    case "html":
      return yield* readHtml(text, problems)
    case "csv":
    case "tsv":
      return yield* readTable(format, text, problems)
    case "ctm":
      return yield* readCtm(text, problems)
    case "txt":
      return yield* readTimedText(text, problems)
  }
}

const excuse = (format: CaptionFormat | undefined): string =>
  format === undefined
    ? "This file is not in a caption format that Earmark reads: WebVTT, SubRip, SBV, ASS, TTML, CSV, TSV, CTM, plain text with times, a transcript page or transcript JSON."
    : `This file is not a ${format} file.`

interface CaptionOptions {
  readonly format?: CaptionFormat
  /** `"in_text"` leaves `Name: ` in the lines, as players show them; otherwise it becomes the speaker where it is believed. */
  readonly names?: "in_text"
}

/**
 * Reads a caption file of any known format, told by its content unless `format` is given.
 * Broken parts become problems; only input that is no caption file at all is refused. Time grows with the length.
 */
export const readCaptions = (
  input: string | Uint8Array,
  options: CaptionOptions = {},
): Either.Either<CaptionFile, NotCaptions> => finished(readCaptionsInTurns(input, options))

/** The same in turns of some milliseconds, for processes that have other work: they let it go on at each yield. */
export function* readCaptionsInTurns(
  input: string | Uint8Array,
  options: CaptionOptions = {},
): InTurns<Either.Either<CaptionFile, NotCaptions>> {
  const { text, utf8 } = decodeText(input)
  yield
  const problems = new Problems(text)
  if (!utf8) problems.add("not_utf8")
  const format = kindOf(options.format) ?? detect(text)
  const message = text.trim() === "" ? "The file is empty." : excuse(options.format)
  const refused = Either.left(new NotCaptions({ message }))
  if (format === null || (format === "vtt" && !hasVttSignature(text))) return refused
  if (format === "json") {
    const reading = yield* readJson(text, problems)
    return reading === null ? refused : Either.right({ ...reading, problems: problems.list })
  }
  const { cues, language } = yield* readAs(format, text, problems)
  yield
  if (cues.length === 0 && !isEmptyFile(format, text)) return refused
  const spoken = options.names === "in_text" ? cues : yield* withSpeakersFromPrefixes(cues)
  return Either.right({ format, language, cues: spoken, problems: problems.list })
}

const kindOf = (format: CaptionFormat | undefined): TextFormat | "json" | undefined => {
  switch (format) {
    case undefined:
    case "vtt":
    case "srt":
    case "sbv":
    case "ass":
    case "ttml":
    case "html":
    case "csv":
    case "tsv":
    case "ctm":
    case "txt":
      return format
    default:
      return "json"
  }
}
