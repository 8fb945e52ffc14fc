import { extname } from "node:path"
import type {
  CaptionFile,
  CaptionFormat,
  CaptionProfileName,
  Export,
  ExportFormat,
  LintFinding,
  LintReport,
  Problem,
} from "@earmark/core/captions"
import { captionFormats, exportFormats } from "@earmark/core/captions"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Either, Option, Struct } from "effect"
import { failed, usage } from "../CommandFailed.js"
import { didYouMean } from "../didYouMean.js"
import type { Page } from "../help.js"
import { readAll, STANDARD_INPUT } from "../input.js"
import { note, print, printable, printableJson, writeFile } from "../output.js"
import { counted } from "../transcribe/figures.js"

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
  Options.withDescription("The format to write."),
  Options.optional,
)

const profile = Options.choice("profile", profiles).pipe(
  Options.withDescription(
    "Lay the captions out anew: standard (42x2), podcast (32x2) or netflix (42x2, hard gaps).",
  ),
  Options.optional,
)

const language = Options.text("language").pipe(
  Options.withDescription("The language of the text (en, de, ...), when the file does not say it."),
  Options.optional,
)

const wordLevel = Options.boolean("word-level").pipe(
  Options.withDescription("Show the time of every word, in formats that can."),
)

const output = Options.text("output").pipe(
  Options.withAlias("o"),
  Options.withDescription(
    "Write to this file instead of standard output (-), in the format that its ending names unless --to does. A file of that name is replaced once the new one is whole.",
  ),
  Options.optional,
)

const lint = Options.boolean("lint").pipe(
  Options.withDescription(
    "Judge the captions by the profile; exit code 1 when there are faults. With --to or -o, what was made is judged: the report goes to standard error, with -o FILE to standard output.",
  ),
)

const json = Options.boolean("json").pipe(Options.withDescription("With --lint: its report as JSON."))

const formatOf = (path: string): ExportFormat | undefined =>
  formats.find((format) => path.toLowerCase().endsWith(`.${format}`)) ??
  formats.find((format) => path.toLowerCase().endsWith(exportFormats[format].extension))

const rounded = (value: number) => String(Number(value.toFixed(2)))

const unitOf = (unit: LintFinding["unit"]): string => {
  if (unit === null) return ""
  return unit === "characters_per_second" ? " characters/s" : ` ${unit}`
}

const measured = ({ code, value, limit, unit }: LintFinding): string => {
  if (code === "empty" || code === "bom") return ""
  if (typeof value === "string") return ` "${printable(value)}"`
  if (code === "unescaped") return ` in line ${value}`
  const bound = limit === null || limit === 0 ? "" : ` (limit ${rounded(limit)})`
  return ` ${rounded(value)}${unitOf(unit)}${bound}`
}

const MOST_FINDINGS = 20

/** Faults first, then what is only advice. */
const reportLines = (name: string, report: LintReport): string => {
  const faults = report.findings.filter(({ weight }) => weight === "fault")
  const advice = report.findings.filter(({ weight }) => weight === "advice")
  const shown = [...faults, ...advice].slice(0, MOST_FINDINGS).map((finding) => {
    const kind = finding.weight === "fault" ? "" : "advice: "
    const where = finding.cue === 0 ? "file" : `cue ${finding.cue}`
    return `  ${kind}${where}: ${finding.code}${measured(finding)}`
  })
  const all = Object.values(report.counts).reduce((sum, count) => sum + count, 0)
  const more = all > shown.length ? [`  and ${all - shown.length} more`] : []
  return [
    `${printable(name)}: ${report.ok} of ${counted(report.cues, "caption is", "captions are")} in order (${report.profile})`,
    ...shown,
    ...more,
    "",
  ].join("\n")
}

const PROBLEMS: Readonly<Record<Problem["code"], string>> = {
  bad_timing: "a cue without a readable time was left out",
  bad_arrow: "an arrow that is not written --> was read as one",
  end_before_start: "a cue that does not end after it begins was kept as it is",
  bad_block: "a block that is no cue was left out",
  bad_entry: "an entry without a readable time or text was left out",
  not_utf8: "bytes that are not UTF-8 were read as windows-1252, in WebVTT as replacement characters",
  truncated: "the file is cut off, and what came before was read",
  too_many_problems: "there are more problems than can be listed",
}

const MOST_PROBLEMS = 5

const tellProblems = Effect.fn("tellProblems")(function* (name: string, { problems }: CaptionFile) {
  for (const { line, code } of problems.slice(0, MOST_PROBLEMS)) {
    yield* note(`${printable(name)}: ${line === 0 ? "" : `line ${line}: `}${PROBLEMS[code]}`)
  }
  const more = problems.length - MOST_PROBLEMS
  if (more > 0) yield* note(`${printable(name)}: and ${more} more such ${more === 1 ? "place" : "places"}`)
})

/** One ending may stand for several formats (`.json`). */
const contradicts = (target: string, format: ExportFormat): boolean => {
  const named = formatOf(target)
  return named !== undefined && exportFormats[named].extension !== exportFormats[format].extension
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
  readonly format?: CaptionFormat | undefined
  /** What the file tells that `text` was made of. */
  readonly doubts?: CaptionFile["doubts"] | undefined
}) =>
  Effect.gen(function* () {
    const { captionProfile, hasFaults, lintCues, readCaptions } = yield* Effect.promise(
      () => import("@earmark/core/captions"),
    )
    const read = readCaptions(options.text, options.format === undefined ? {} : { format: options.format })
    if (Either.isLeft(read)) return yield* failed(`${options.name}: ${read.left.message}`)
    const report = lintCues(
      read.right.cues,
      captionProfile(options.profile, { language: read.right.language }),
      { source: options.text, doubts: options.doubts ?? read.right.doubts },
    )
    const shown = options.json ? `${printableJson(report, 2)}\n` : reportLines(options.name, report)
    yield* options.isData ? print(shown) : note(shown.trimEnd())
    if (hasFaults(report)) return yield* failed(`${options.name} has faults. The list above names them.`)
  })

export const captions = Command.make(
  "captions",
  { file, from, to, profile, language, wordLevel, output, lint, json },
  (options) =>
    Effect.gen(function* () {
      const { convertCaptions, exportTranscript, readCaptions, transcriptFromCues } = yield* Effect.promise(
        () => import("@earmark/core/captions"),
      )
      const { chaptersOf, languageCodeOf } = yield* Effect.promise(() => import("@earmark/core/text"))
      const target = Option.getOrUndefined(options.output)
      const toFile = target !== undefined && target !== STANDARD_INPUT
      const format = Option.getOrUndefined(options.to) ?? (toFile ? formatOf(target) : undefined)
      if (format === undefined && !options.lint) {
        return yield* usage(
          toFile
            ? `${target} has no ending that names a format.${yield* didYouMean(extname(target).slice(1), formats)} Add --to FORMAT.`
            : "earmark captions needs --to FORMAT, or --lint. See earmark captions --help.",
        )
      }
      if (options.json && !options.lint) {
        return yield* usage("--json goes with --lint. To write JSON, name a format: --to json.")
      }
      if (format !== undefined && options.lint && !exportFormats[format].cues) {
        return yield* usage(
          `--lint judges captions, and ${format} has none. Leave out --lint, or --to and -o.`,
        )
      }
      if (format === "docx" && !toFile && process.stdout.isTTY) {
        return yield* usage("A docx file is not for a terminal. Add -o FILE.")
      }
      const given = Option.getOrUndefined(options.language)
      const language = given === undefined ? undefined : languageCodeOf(given)
      if (language === null)
        return yield* usage(`"${given}" is no language. Give a code such as en or pt-BR.`)
      if (toFile && format !== undefined && contradicts(target, format)) {
        yield* note(`${printable(target)}: written as ${format}, although its name ends like another format`)
      }
      const bytes = yield* readAll(options.file, MAX_FILE_BYTES)
      const from = Option.getOrUndefined(options.from)
      const read = readCaptions(bytes, from === undefined ? {} : { format: from })
      if (Either.isLeft(read)) return yield* failed(`${options.file}: ${read.left.message}`)
      yield* tellProblems(options.file, read.right)
      const profile = Option.getOrUndefined(options.profile)
      const judged = { profile: profile ?? "standard", json: options.json } as const
      if (format === undefined) {
        const text = new TextDecoder().decode(bytes)
        return yield* judge({ ...judged, name: options.file, text, isData: true, format: from })
      }
      const { cues } = read.right
      const inChapters = () => {
        const transcript = transcriptFromCues(cues, { language: language ?? read.right.language })
        return exportTranscript({ ...transcript, chapters: chaptersOf(transcript) }, { format: "chapters" })
      }
      const made =
        format === "chapters"
          ? inChapters()
          : convertCaptions(read.right, { to: format, profile, language, wordLevel: options.wordLevel })
      if (Either.isLeft(made)) return yield* failed(`${options.file}: ${made.left.message}`)
      if (toFile) yield* writeFile(target, made.right.chunks)
      else yield* Effect.forEach(made.right.chunks, print, { discard: true })
      if (options.lint) {
        yield* judge({
          ...judged,
          name: target ?? options.file,
          text: textOf(made.right),
          isData: toFile,
          doubts: read.right.doubts,
        })
      }
    }),
).pipe(Command.withDescription("Convert a caption or transcript file, lay it out anew, or check it."))

export const captionsPage: Page = {
  name: "captions",
  descriptor: captions.descriptor,
  examples: [
    "earmark captions interview.vtt --to srt",
    "earmark captions interview.vtt -o interview.docx",
    "earmark captions whisper.json --profile netflix --word-level -o interview.vtt",
    "earmark captions interview.srt --lint",
  ],
  children: [],
}
