import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { usage } from "../CommandFailed.js"
import type { Page } from "../help.js"
import { libraryOf } from "../library/libraryOf.js"
import { readNames } from "../library/speakerNames.js"
import { note, print, printableJson, writeFile } from "../output.js"
import { formatOf, misnamed } from "../transcribe/fileFormat.js"
import { FORMATS } from "../transcribe/readAsked.js"
import { cues, maxChars, maxLines, readLayout } from "./layout.js"
import { place, transcription } from "./remote/options.js"

const format = Options.choice("format", FORMATS).pipe(
  Options.withAlias("f"),
  Options.withDescription("What to write: what -o FILE ends with, or plain text, when left out."),
  Options.optional,
)

const output = Options.text("output").pipe(
  Options.withAlias("o"),
  Options.withDescription(
    "Write to this file instead of standard output (-). A file of that name is replaced once the new one is whole.",
  ),
  Options.optional,
)

const wordLevel = Options.boolean("word-level").pipe(
  Options.withDescription("Show the time of every word, in formats that can."),
)

const noSpeakers = Options.boolean("no-speakers").pipe(Options.withDescription("Leave speakers out."))

const speakers = Options.text("speakers").pipe(
  Options.withDescription(
    'What this file calls the speakers: "Speaker 1=Ann,Speaker 2=Bob". earmark jobs name keeps names.',
  ),
  Options.optional,
)

const language = Options.text("language").pipe(
  Options.withDescription("The translation into this language instead of what was said."),
  Options.optional,
)

const link = Options.boolean("link").pipe(
  Options.withDescription(
    "Print an address at the service that gives the file to whoever has it, for 15 minutes.",
  ),
)

const json = Options.boolean("json").pipe(
  Options.withDescription("With -o FILE: one JSON object on standard output that tells what was written."),
)

const STANDARD_OUTPUT = "-"

const chosenFormat = (given: Option.Option<(typeof FORMATS)[number]>, path: string | undefined) => {
  const isFile = path !== undefined && path !== STANDARD_OUTPUT
  if (Option.isSome(given)) {
    const wrong = isFile ? misnamed(path, given.value) : null
    return wrong === null ? Effect.succeed(given.value) : Effect.fail(usage(wrong))
  }
  if (!isFile) return Effect.succeed("txt" as const)
  const found = formatOf(path)
  if (found !== undefined) return Effect.succeed(found)
  return Effect.fail(
    usage(`The name ${path} does not tell its format. Name one with --format: ${FORMATS.join(", ")}.`),
  )
}

export const exporting = Command.make(
  "export",
  {
    id: transcription,
    ...place,
    format,
    output,
    wordLevel,
    noSpeakers,
    speakers,
    cues: Options.optional(cues),
    maxChars,
    maxLines,
    language,
    link,
    json,
  },
  (options) =>
    Effect.gen(function* () {
      const path = Option.getOrUndefined(options.output)
      const isFile = path !== undefined && path !== STANDARD_OUTPUT
      if (options.json && !isFile)
        return yield* usage("--json tells what was written with -o FILE; --format json is the transcript.")
      const layout = yield* readLayout(options)
      const library = yield* libraryOf(options)
      const id = yield* library.idOf(options.id)
      const wanted = {
        format: yield* chosenFormat(options.format, path),
        word_level: options.wordLevel,
        speakers: !options.noSpeakers,
        names: Option.isSome(options.speakers) ? yield* readNames(options.speakers.value) : undefined,
        profile: layout.profile,
        max_chars_per_line: layout.maxCharsPerLine,
        max_lines: layout.maxLines,
        language: Option.getOrUndefined(options.language),
      }
      if (options.link) {
        const { url, expires_at } = yield* library.exportLink(id, wanted)
        yield* note(`Good until ${expires_at}.`)
        return yield* print(`${url}\n`)
      }
      const chunks = yield* library.export(id, wanted)
      if (isFile && path !== undefined) {
        yield* writeFile(path, chunks)
        return options.json
          ? yield* print(`${printableJson({ id, format: wanted.format, path })}\n`)
          : undefined
      }
      for (const chunk of chunks) yield* print(chunk)
    }),
).pipe(Command.withDescription("Write a finished transcript as captions, text, JSON, HTML or Word."))

export const exportPage: Page = {
  name: "export",
  descriptor: exporting.descriptor,
  examples: ['earmark export "$JOB" -o talk.srt', 'earmark export "$JOB" --format md --no-speakers'],
  children: [],
}
