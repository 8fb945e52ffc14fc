import { isFolder, type Layout, placesBeside } from "@earmark/batch"
import type {
  CaptionFile,
  CaptionFormat,
  Export,
  ExportFormat,
  LintFinding,
  LintReport,
  Problem,
} from "@earmark/core/captions"
import {
  captionProfile,
  convertCaptions,
  exportFormats,
  formatOfName,
  hasFaults,
  lastEndingOf,
  lintCaptions,
  lintCues,
  readCaptions,
} from "@earmark/core/captions"
import { Effect, Either } from "effect"
import { CommandFailed, failed, usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { captions as captionsSpec } from "../grammar/local.js"
import { readAll, STANDARD_INPUT } from "../input.js"
import { note, print, printable, printableJson, writeFile } from "../output.js"
import { counted } from "../transcribe/figures.js"
import {
  nameOption,
  noFormatIn,
  notForTerminal,
  readLanguage,
  readLayout,
  refused,
} from "../transcribe/readOptions.js"

const MAX_FILE_BYTES = 50_000_000

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
  end_before_start: "a cue that does not end after it begins was kept; check its times",
  bad_block: "a block that is not a cue was skipped",
  bad_entry: "an entry without a readable time or text was left out",
  not_utf8:
    "bytes that are not UTF-8 were read as windows-1252, or as replacement characters (\uFFFD) where most of the file is UTF-8",
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

/** Captions stay as they are unless they are to be laid out: lines of a transcript are often too long for that. */
const tellWideCues = Effect.fnUntraced(function* (name: string, { cues, language }: CaptionFile) {
  const { counts } = lintCues(cues, captionProfile("standard", { language }))
  const wide = counts.line_too_wide ?? 0
  if (wide === 0) return
  const all = counted(cues.length, "caption is", "captions are")
  yield* note(
    `${printable(name)}: ${wide} of ${all} too wide for a screen. To have them cut anew, add --cues standard.`,
  )
})

/** One ending may stand for several formats (`.json`). */
const contradicts = (target: string, format: ExportFormat): boolean => {
  const named = formatOfName(target)
  return named !== undefined && lastEndingOf(named) !== lastEndingOf(format)
}

const textOf = ({ chunks }: Export): string =>
  [...chunks].filter((chunk) => typeof chunk === "string").join("")

/** Judges text as it stands in a file, and prints the report where the data does not go. */
const judge = (options: {
  readonly name: string
  readonly text: string
  readonly layout: Layout
  readonly language: string | undefined
  readonly json: boolean
  /** The file of several that a line of JSON is about. */
  readonly file: string | null
  readonly isData: boolean
  readonly format?: CaptionFormat | undefined
  /** What the file tells that `text` was made of. */
  readonly doubts?: CaptionFile["doubts"] | undefined
}) =>
  Effect.gen(function* () {
    const { name, text, layout, ...known } = options
    const judged = lintCaptions(text, { ...known, ...layout })
    if (Either.isLeft(judged)) return yield* failed(`${name}: ${judged.left.message}`)
    const report = judged.right
    const asJson = () =>
      options.file === null ? printableJson(report, 2) : printableJson({ file: options.file, ...report })
    const shown = options.json ? `${asJson()}\n` : reportLines(name, report)
    yield* options.isData ? print(shown) : note(shown.trimEnd())
    if (hasFaults(report)) return yield* failed(`${name} has faults. The list above names them.`)
  })

interface Task {
  readonly file: string
  readonly from: CaptionFormat | undefined
  /** Undefined: it is judged as it is. */
  readonly format: ExportFormat | undefined
  /** Null: standard output. */
  readonly target: string | null
  readonly language: string | undefined
  readonly layout: Layout
  readonly wordLevel: boolean
  readonly lint: boolean
  readonly json: boolean
  readonly isOneOfSeveral: boolean
}

/** Reads one file, and writes or judges it. */
const convertOne = Effect.fnUntraced(function* (task: Task) {
  const { file, format, target, layout } = task
  const bytes = yield* readAll(file, MAX_FILE_BYTES)
  const read = readCaptions(bytes, task.from === undefined ? {} : { format: task.from })
  if (Either.isLeft(read)) return yield* failed(`${file}: ${read.left.message}`)
  yield* tellProblems(file, read.right)
  const isAsItWas = Object.values(layout).every((value) => value === undefined)
  const language = task.language ?? read.right.language ?? undefined
  const judged = { layout, language, json: task.json, file: task.isOneOfSeveral ? file : null }
  if (format === undefined) {
    const text = new TextDecoder().decode(bytes)
    return yield* judge({ ...judged, name: file, text, isData: true, format: task.from })
  }
  const made = convertCaptions(read.right, {
    ...layout,
    to: format,
    language: task.language,
    wordLevel: task.wordLevel,
  })
  if (Either.isLeft(made)) return yield* failed(`${file}: ${made.left.message}`)
  if (exportFormats[format].cues && isAsItWas && !task.lint) yield* tellWideCues(file, read.right)
  if (target !== null) yield* writeFile(target, made.right.chunks)
  else yield* Effect.forEach(made.right.chunks, print, { discard: true })
  if (task.lint) {
    const text = textOf(made.right)
    const isData = target !== null
    yield* judge({ ...judged, name: target ?? file, text, isData, doubts: read.right.doubts })
  }
})

export const captions = (options: Given<typeof captionsSpec>) =>
  Effect.gen(function* () {
    const { output } = options
    const target = output === STANDARD_INPUT ? undefined : output
    const isOneOfSeveral = options.files.length > 1
    const isIntoFolder = target !== undefined && (target.endsWith("/") || (yield* isFolder(target)))
    const isBeside = isOneOfSeveral || isIntoFolder
    const named = target === undefined || isBeside ? undefined : formatOfName(target)
    const format = options.format ?? named
    if (format === undefined && (!options.lint || (isBeside && target !== undefined))) {
      if (isIntoFolder && !options.lint)
        return yield* usage(
          `${target} is a folder. Choose the format of what is written there with --format.`,
        )
      return yield* target !== undefined && !isBeside
        ? noFormatIn(target)
        : usage("earmark captions needs --format FORMAT, or --lint. See earmark captions --help.")
    }
    if (options.json && !options.lint) {
      return yield* usage("--json goes with --lint. To write JSON, name a format: --format json.")
    }
    if (format !== undefined && options.lint && !exportFormats[format].cues) {
      return yield* usage(
        `--lint judges captions, and ${format} has none. Leave out --lint, or --format and -o.`,
      )
    }
    if (format !== undefined && target === undefined && !isOneOfSeveral) {
      const refusal = notForTerminal(format)
      if (refusal !== null) return yield* usage(refusal)
    }
    const language = yield* readLanguage(options.language)
    if (isOneOfSeveral && options.files.includes(STANDARD_INPUT))
      return yield* usage("Standard input stands alone: give it, or several files.")
    if (isOneOfSeveral && output === STANDARD_INPUT)
      return yield* usage("Several results do not go to standard output. Name a folder: -o FOLDER/")
    if (isIntoFolder && options.files.every((file) => file === STANDARD_INPUT))
      return yield* usage(
        "What comes on standard input has no name for a file in a folder. Name a file with -o.",
      )
    const task = {
      from: options.from,
      format,
      language,
      layout: yield* readLayout(options),
      wordLevel: options.wordLevel,
      lint: options.lint,
      json: options.json,
      isOneOfSeveral,
    }
    if (!isBeside) {
      if (target !== undefined && format !== undefined && contradicts(target, format))
        yield* note(`${printable(target)}: written as ${format}, although its name ends like another format`)
      const [file = STANDARD_INPUT] = options.files
      return yield* convertOne({ ...task, file, target: target ?? null })
    }
    const targets =
      format === undefined
        ? []
        : yield* Effect.mapError(placesBeside(options.files, format, target ?? null, nameOption), refused)
    const done = yield* Effect.forEach(options.files, (file, at) =>
      convertOne({ ...task, file, target: targets[at] ?? null }).pipe(
        Effect.as(true),
        Effect.catchAll(({ message }) => Effect.as(note(`earmark: ${printable(message)}`), false)),
      ),
    )
    const bad = done.filter((isDone) => !isDone).length
    if (bad > 0)
      return yield* new CommandFailed({
        message: `${bad} of ${done.length} files failed. The lines above say why.`,
        exitCode: bad < done.length ? 3 : 1,
      })
  })
