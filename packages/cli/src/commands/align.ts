import { isBinary, isSameFile } from "@earmark/batch"
import type { ExportFormat } from "@earmark/core/captions"
import { exportFormats, exportTranscript, formatOfName } from "@earmark/core/captions"
import { Effect, Either } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import { ALIGNED_FORMATS, type align as alignSpec } from "../grammar/local.js"
import { readAll, STANDARD_INPUT } from "../input.js"
import { note, print, writeFile } from "../output.js"
import { counted } from "../transcribe/figures.js"
import { noFormatIn, readLanguage } from "../transcribe/readOptions.js"

const MAX_TEXT_BYTES = 50_000_000
/** More estimated words than this share: the text is hardly what is said. */
const HARDLY_SAID = 0.5

/** What is written: the format asked for, the one that the file is named as, or WebVTT. */
const decideFormat = Effect.fnUntraced(function* (asked: ExportFormat | undefined, path: string | undefined) {
  if (asked !== undefined) return asked
  if (path === undefined || path === STANDARD_INPUT) return "vtt"
  return formatOfName(path, ALIGNED_FORMATS) ?? (yield* noFormatIn(path, ALIGNED_FORMATS))
})

const readText = Effect.fnUntraced(function* (path: string, given: string | undefined) {
  const language = yield* readLanguage(given)
  const bytes = yield* readAll(path, MAX_TEXT_BYTES)
  if (new TextDecoder().decode(bytes).trim() === "") return yield* failed(`There is no text in ${path}.`)
  return { bytes, language: language ?? null }
})

const tellDoubts = (audio: string, text: string, words: number, estimated: number) => {
  if (estimated === 0) return Effect.void
  const share = `${estimated} of ${counted(words, "word")} could not be found in ${audio}; their times are estimated.`
  return note(estimated > words * HARDLY_SAID ? `${share} Check that ${text} is what is said there.` : share)
}

export const align = Effect.fnUntraced(function* (options: Given<typeof alignSpec>) {
  const target = options.output
  const format = yield* decideFormat(options.format, target)
  for (const read of [options.audio, options.text])
    if (target !== undefined && (yield* isSameFile(target, read)))
      return yield* usage(`The result would be written over ${read}. Name another file with -o.`)
  if (options.wordLevel && !exportFormats[format].wordLevel)
    return yield* usage(
      `${format} cannot show the time of each word. Leave out --word-level, or take vtt, srt, ass or json.`,
    )
  const { bytes, language } = yield* readText(options.text, options.language)
  const { align, givenTextOf } = yield* Effect.promise(() => import("../transcribe/align.js"))
  const given = givenTextOf(bytes, language)
  // Captions may be in UTF-16, which is full of NULs.
  if (given.type === "plain" && isBinary(given.text))
    return yield* failed(
      `${options.text} is no text. Name the recording first, then the text or the captions of it.`,
    )
  const { transcript, wordTiming, wordCount, estimatedWords } = yield* align(options.audio, given)
  const written = exportTranscript({ ...transcript, wordTiming }, { format, wordLevel: options.wordLevel })
  if (Either.isLeft(written)) return yield* failed(`${options.text}: ${written.left.message}`)
  yield* tellDoubts(options.audio, options.text, wordCount, estimatedWords)
  if (target !== undefined && target !== STANDARD_INPUT) return yield* writeFile(target, written.right.chunks)
  yield* Effect.forEach(written.right.chunks, print, { discard: true })
})
