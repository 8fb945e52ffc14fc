import { misnamed } from "@earmark/batch"
import { type ExportFormat, exportFormatNames, formatOfName } from "@earmark/core/captions"
import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { exporting as exportingSpec } from "../grammar/transcripts.js"
import { STANDARD_INPUT } from "../input.js"
import { entryOf } from "../library/libraryOf.js"
import { note, print, printableJson, writeFile } from "../output.js"
import { nameOption, notForTerminal, readLayout, readNames } from "../transcribe/readOptions.js"

const chosenFormat = (given: ExportFormat | undefined, path: string | undefined) => {
  const isFile = path !== undefined && path !== STANDARD_INPUT
  if (given !== undefined) {
    const wrong = isFile ? misnamed(path, given, nameOption) : null
    return wrong === null ? Effect.succeed(given) : Effect.fail(usage(wrong))
  }
  if (!isFile) return Effect.succeed("txt" as const)
  const found = formatOfName(path)
  if (found !== undefined) return Effect.succeed(found)
  return Effect.fail(
    usage(
      `The name ${path} does not tell its format. Name one with --format: ${exportFormatNames.join(", ")}.`,
    ),
  )
}

/** Whether exported chapters are none. */
const hasNone = (chunks: Iterable<string | Uint8Array>): boolean => {
  const written = Buffer.concat([...chunks].map((chunk) => Buffer.from(chunk))).toString("utf8")
  return JSON.parse(written).chapters.length === 0
}

export const exporting = (options: Given<typeof exportingSpec>) =>
  Effect.gen(function* () {
    const path = options.output
    const isFile = path !== undefined && path !== STANDARD_INPUT
    if (options.json && !isFile)
      return yield* usage("--json tells what was written with -o FILE; --format json is the transcript.")
    if (options.link && path !== undefined)
      return yield* usage("--link prints an address and writes no file: leave out --link or -o.")
    const format = yield* chosenFormat(options.format, path)
    const refusal = isFile || options.link ? null : notForTerminal(format)
    if (refusal !== null) return yield* usage(refusal)
    const layout = yield* readLayout(options)
    const { library, id } = yield* entryOf(options)
    const wanted = {
      format,
      word_level: options.wordLevel,
      speakers: !options.noSpeakers,
      names: options.speakers !== undefined ? yield* readNames(options.speakers) : undefined,
      profile: layout.profile,
      max_chars_per_line: layout.maxCharsPerLine,
      max_lines: layout.maxLines,
      language: options.language,
      revision: options.revision,
    }
    if (options.link) {
      const { url, expires_at } = yield* library.exportLink(id, wanted)
      yield* note(`Good until ${expires_at}.`)
      return yield* print(`${url}\n`)
    }
    const chunks = yield* library.export(id, wanted)
    if (format === "chapters" && hasNone(chunks))
      yield* note(`${id} has no chapters. earmark extras ${id} --chapters makes them.`)
    if (isFile && path !== undefined) {
      yield* writeFile(path, chunks)
      return options.json
        ? yield* print(`${printableJson({ id, format: wanted.format, path })}\n`)
        : undefined
    }
    for (const chunk of chunks) yield* print(chunk)
  })
