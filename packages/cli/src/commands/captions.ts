import type { CaptionProfileName, Export, ExportFormat, LintReport } from "@earmark/core/captions"
import { captionFormats, exportFormats } from "@earmark/core/captions"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Either, Option, Struct } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Page } from "../help.js"
import { readAll, STANDARD_INPUT } from "../input.js"
import { note, print, printable, writeFile } from "../output.js"

const MAX_FILE_BYTES = 50_000_000

const formats = Struct.keys(exportFormats)
const profiles = ["standard", "podcast", "netflix"] as const satisfies ReadonlyArray<CaptionProfileName>

const file = Args.text({ name: "file" }).pipe(
  Args.withDescription("A caption or transcript file, or - for standard input."),
)

const from = Options.choice("from", captionFormats).pipe(
  Options.withDescription("What the file is, when its content does not tell."),
  Options.optional,
)

const to = Options.choice("to", formats).pipe(
  Options.withDescription(`The format to write: ${formats.join(", ")}.`),
  Options.optional,
)

const profile = Options.choice("profile", profiles).pipe(
  Options.withDescription(
    "Lay the captions out anew: standard (42x2), podcast (32x2) or netflix (42x2, hard gaps).",
  ),
  Options.optional,
)

const wordLevel = Options.boolean("word-level").pipe(
  Options.withDescription("Show the time of every word, in formats that can."),
)

const output = Options.text("output").pipe(
  Options.withAlias("o"),
  Options.withDescription("Write to this file instead of standard output; its ending names the format too."),
  Options.optional,
)

const lint = Options.boolean("lint").pipe(
  Options.withDescription("Judge the captions by the profile; exit code 1 when there are faults."),
)

const json = Options.boolean("json").pipe(Options.withDescription("The lint report as JSON."))

const formatOf = (path: string): ExportFormat | undefined =>
  formats.find((format) => path.toLowerCase().endsWith(`.${format}`)) ??
  formats.find((format) => path.toLowerCase().endsWith(exportFormats[format].extension))

const reportLines = (name: string, report: LintReport): string => {
  const most = 20
  const findings = report.findings.slice(0, most).map(({ cue, code, value, limit }) => {
    const where = cue === 0 ? "file" : `cue ${cue}`
    return `  ${where}: ${code} ${printable(String(value))}${limit === null ? "" : ` (limit ${limit})`}`
  })
  const all = Object.values(report.counts).reduce((sum, count) => sum + count, 0)
  const more = all > findings.length ? [`  and ${all - findings.length} more`] : []
  return [
    `${name}: ${report.ok} of ${report.cues} captions are in order (${report.profile})`,
    ...findings,
    ...more,
    "",
  ].join("\n")
}

const textOf = (made: Export): string => {
  let text = ""
  for (const chunk of made.chunks) text += typeof chunk === "string" ? chunk : ""
  return text
}

/** Judges text as it stands in a file, and prints the report where the data does not go. */
const judge = (options: {
  readonly name: string
  readonly text: string
  readonly profile: CaptionProfileName
  readonly json: boolean
  readonly isData: boolean
}) =>
  Effect.gen(function* () {
    const { captionProfile, hasFaults, lintCues, readCaptions } = yield* Effect.promise(
      () => import("@earmark/core/captions"),
    )
    const read = readCaptions(options.text)
    if (Either.isLeft(read)) return yield* failed(`${options.name}: ${read.left.message}`)
    const report = lintCues(
      read.right.cues,
      captionProfile(options.profile, { language: read.right.language }),
      {
        source: options.text,
      },
    )
    const shown = options.json ? `${JSON.stringify(report, null, 2)}\n` : reportLines(options.name, report)
    yield* options.isData ? print(shown) : note(shown.trimEnd())
    if (hasFaults(report)) return yield* failed(`${options.name} has faults. The list above names them.`)
  })

export const captions = Command.make(
  "captions",
  { file, from, to, profile, wordLevel, output, lint, json },
  (options) =>
    Effect.gen(function* () {
      const { convertCaptions, readCaptions } = yield* Effect.promise(() => import("@earmark/core/captions"))
      const target = Option.getOrUndefined(options.output)
      const toFile = target !== undefined && target !== STANDARD_INPUT
      const format = Option.getOrUndefined(options.to) ?? (toFile ? formatOf(target) : undefined)
      if (format === undefined && !options.lint) {
        return yield* usage(
          toFile
            ? `${target} has no ending that names a format. Add --to FORMAT.`
            : "earmark captions needs --to FORMAT, or --lint. See earmark captions --help.",
        )
      }
      const bytes = yield* readAll(options.file, MAX_FILE_BYTES)
      const read = readCaptions(
        bytes,
        Option.match(options.from, { onNone: () => ({}), onSome: (format) => ({ format }) }),
      )
      if (Either.isLeft(read)) return yield* failed(`${options.file}: ${read.left.message}`)
      for (const { line, code } of read.right.problems.slice(0, 5)) {
        yield* note(`${options.file}${line === 0 ? "" : `, line ${line}`}: ${code.replaceAll("_", " ")}`)
      }
      const profile = Option.getOrUndefined(options.profile)
      const judged = { profile: profile ?? "standard", json: options.json } as const
      if (format === undefined) {
        const text = new TextDecoder().decode(bytes)
        return yield* judge({ ...judged, name: options.file, text, isData: true })
      }
      const made = convertCaptions(read.right, { to: format, profile, wordLevel: options.wordLevel })
      if (Either.isLeft(made)) return yield* failed(`${options.file}: ${made.left.message}`)
      if (toFile) yield* writeFile(target, made.right.chunks)
      else if (format === "docx" && process.stdout.isTTY) {
        return yield* usage("A docx file is not for a terminal. Add -o FILE.")
      } else yield* Effect.forEach(made.right.chunks, print, { discard: true })
      if (options.lint) {
        if (!exportFormats[format].cues)
          return yield* usage(`--lint judges captions, and ${format} has none.`)
        yield* judge({ ...judged, name: target ?? options.file, text: textOf(made.right), isData: toFile })
      }
    }),
).pipe(Command.withDescription("Convert a caption or transcript file, lay it out anew, or check it."))

export const captionsPage: Page = {
  name: "captions",
  descriptor: captions.descriptor,
  examples: [
    "earmark captions interview.vtt --to srt",
    "earmark captions interview.vtt -o interview.docx",
    "earmark captions whisper.json --to vtt --profile netflix --word-level -o interview.vtt",
    "earmark captions interview.srt --lint",
  ],
  children: [],
}
