import { extname } from "node:path"
import type { ExportFormat } from "@earmark/core/captions"
import { exportFormats, formatOfName } from "@earmark/core/captions"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Either, Option, Struct } from "effect"
import { CommandFailed, failed, usage } from "../CommandFailed.js"
import { didYouMean } from "../didYouMean.js"
import type { Page } from "../help.js"
import { readAll, STANDARD_INPUT } from "../input.js"
import { note, print, writeFile } from "../output.js"
import { counted } from "../transcribe/figures.js"
import { waitFor } from "../waitFor.js"

const MAX_TEXT_BYTES = 50_000_000
const formats = Struct.keys(exportFormats).filter((format) => format !== "docx" && format !== "chapters")
/** More estimated words than this share: the text is hardly what is said. */
const HARDLY_SAID = 0.5

const audio = Args.text({ name: "audio" }).pipe(
  Args.withDescription("A recording of this machine: audio or video."),
)

const text = Args.text({ name: "text" }).pipe(
  Args.withDescription("What is said in it: a plain text or a caption file, or - for standard input."),
)

const format = Options.choice("format", formats).pipe(
  Options.withAlias("f"),
  Options.withDescription("The format to write [vtt, or what the ending of --output names]."),
  Options.optional,
)

const output = Options.text("output").pipe(
  Options.withAlias("o"),
  Options.withDescription("Write to this file instead of standard output (-)."),
  Options.optional,
)

const language = Options.text("language").pipe(
  Options.withDescription("The language of the text (en, de, ...), when the file does not say it."),
  Options.optional,
)

const wordLevel = Options.boolean("word-level").pipe(
  Options.withDescription("Show the time of every word, in formats that can."),
)

const formatNamedBy = (path: string): ExportFormat | undefined => formatOfName(path, formats)

/** What is written: the format asked for, the one that the file is named as, or WebVTT. */
const decideFormat = Effect.fnUntraced(function* (asked: ExportFormat | undefined, path: string | undefined) {
  if (asked !== undefined) return asked
  if (path === undefined || path === STANDARD_INPUT) return "vtt"
  const named = formatNamedBy(path)
  if (named !== undefined) return named
  return yield* usage(
    `${path} has no ending that names a format.${yield* didYouMean(extname(path).slice(1), formats)} Add --format FORMAT.`,
  )
})

const readText = Effect.fnUntraced(function* (path: string, given: string | undefined) {
  const { languageCodeOf } = yield* Effect.promise(() => import("@earmark/core/text"))
  const language = given === undefined ? null : languageCodeOf(given)
  if (given !== undefined && language === null)
    return yield* usage(`Unknown language "${given}". Use a code such as en, de or pt-BR.`)
  const bytes = yield* readAll(path, MAX_TEXT_BYTES)
  if (new TextDecoder().decode(bytes).trim() === "") return yield* failed(`There is no text in ${path}.`)
  return { bytes, language }
})

const tellDoubts = (audio: string, text: string, words: number, estimated: number) => {
  if (estimated === 0) return Effect.void
  const share = `${estimated} of ${counted(words, "word")} could not be found in ${audio}; their times are estimated.`
  return note(estimated > words * HARDLY_SAID ? `${share} Check that ${text} is what is said there.` : share)
}

export const align = Command.make(
  "align",
  { audio, text, format, output, language, wordLevel },
  Effect.fnUntraced(function* (options) {
    const target = Option.getOrUndefined(options.output)
    const format = yield* decideFormat(Option.getOrUndefined(options.format), target)
    if (options.wordLevel && !exportFormats[format].wordLevel)
      return yield* usage(
        `${format} cannot show the time of each word. Leave out --word-level, or take vtt, srt, ass or json.`,
      )
    const { bytes, language } = yield* readText(options.text, Option.getOrUndefined(options.language))
    const { align, givenTextOf } = yield* Effect.promise(() => import("../transcribe/host.js"))
    const given = givenTextOf(bytes, language)
    const made = yield* waitFor((signal) => align(options.audio, given, signal))
    if (made.type === "failed")
      return yield* new CommandFailed({ message: made.message, exitCode: made.exitCode })
    const { transcript, wordTiming, wordCount, estimatedWords } = made.text
    const { exportTranscript } = yield* Effect.promise(() => import("@earmark/core/captions"))
    const written = exportTranscript({ ...transcript, wordTiming }, { format, wordLevel: options.wordLevel })
    if (Either.isLeft(written)) return yield* failed(`${options.text}: ${written.left.message}`)
    yield* tellDoubts(options.audio, options.text, wordCount, estimatedWords)
    if (target !== undefined && target !== STANDARD_INPUT)
      return yield* writeFile(target, written.right.chunks)
    yield* Effect.forEach(written.right.chunks, print, { discard: true })
  }),
).pipe(Command.withDescription("Find when each word of a given text is said in a recording."))

export const alignPage: Page = {
  name: "align",
  descriptor: align.descriptor,
  examples: [
    "earmark align speech.mp3 speech.txt -o speech.vtt",
    "earmark align episode.mp3 episode.srt --word-level -o karaoke.vtt",
    "earmark align talk.wav talk.txt --format json --word-level",
  ],
  children: [],
}
