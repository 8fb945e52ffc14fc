import { type ExportFormat, exportFormats } from "@earmark/core/captions"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option, Struct } from "effect"
import { CommandFailed, usage } from "../CommandFailed.js"
import type { Page } from "../help.js"
import type { TranscribeRequest } from "../transcribe/TranscribeRequest.js"
import { waitFor } from "../waitFor.js"

const formats = Struct.keys(exportFormats)

const sources = Args.text({ name: "source" }).pipe(
  Args.withDescription("Files, folders, addresses (media, feed, Apple, social), or - for standard input."),
  Args.repeated,
)

const format = Options.text("format").pipe(
  Options.withAlias("f"),
  Options.withDescription(
    `What to write: ${formats.join(", ")}; several with commas between. Plain text, or what -o FILE ends with, when left out.`,
  ),
  Options.optional,
)

const output = Options.text("output").pipe(
  Options.withAlias("o"),
  Options.withDescription(
    "Write to this file, into this folder (it ends with /), or to standard output (-). Left out, one source goes to standard output; the results of several go beside each file, and of links here.",
  ),
  Options.optional,
)

const diarize = Options.boolean("diarize").pipe(Options.withDescription("Tell the speakers apart."))

const speakers = Options.text("speakers").pipe(
  Options.withDescription("How many people speak: 2, or 2-4. Tells them apart too."),
  Options.optional,
)

const language = Options.text("language").pipe(
  Options.withDescription("The language that is spoken (en, de, ...); found out when left out."),
  Options.optional,
)

const quality = Options.choice("quality", ["fast", "accurate"]).pipe(
  Options.withDescription("What matters more. Also: listen, even where the publisher has captions."),
  Options.optional,
)

const engine = Options.choice("engine", ["auto", "sherpa", "whisper", "openai", "pocketsphinx"]).pipe(
  Options.withDescription(
    "What listens: the best that is here (auto), unless EARMARK_ENGINE says otherwise.",
  ),
  Options.optional,
)

const vocabulary = Options.text("vocabulary").pipe(
  Options.withDescription("Names and terms that may be said, with commas between."),
  Options.optional,
)

const start = Options.text("start").pipe(
  Options.withDescription("Where to begin: 90, 1:30 or 1:02:30."),
  Options.optional,
)

const end = Options.text("end").pipe(Options.withDescription("Where to stop, likewise."), Options.optional)

const episode = Options.text("episode").pipe(
  Options.withDescription(
    "Which episode of a feed: its number in earmark feed (0 is the newest), or its GUID.",
  ),
  Options.optional,
)

const summary = Options.boolean("summary").pipe(Options.withDescription("Add a summary (md, json, html)."))

const chapters = Options.boolean("chapters").pipe(Options.withDescription("Add chapters (md, json, html)."))

const translate = Options.text("translate").pipe(
  Options.withDescription("Translate to this language, where a translator is configured."),
  Options.optional,
)

const wordLevel = Options.boolean("word-level").pipe(
  Options.withDescription("Show the time of every word, in formats that can."),
)

const force = Options.boolean("force").pipe(
  Options.withDescription("Also transcribe what is done already, and write over what is there."),
)

const json = Options.boolean("json").pipe(
  Options.withDescription("One JSON object a line for each source on standard output; results go to files."),
)

const quiet = Options.boolean("quiet").pipe(Options.withDescription("Tell nothing but failures."))

const watch = Options.text("watch").pipe(
  Options.withDescription("Transcribe what is put into this folder, until Ctrl-C."),
  Options.optional,
)

const partsOf = (given: string) =>
  given
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const readFormats = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) return []
  const names = partsOf(given)
  const known: Array<ExportFormat> = []
  for (const name of names) {
    const found = formats.find((each) => each === name.toLowerCase())
    if (found === undefined) {
      const { nearestName } = yield* Effect.promise(() => import("@earmark/core/text"))
      const near = nearestName(name, formats)
      const hint = near === undefined ? "" : ` Did you mean ${near}?`
      return yield* usage(`There is no format "${name}"; there are ${formats.join(", ")}.${hint}`)
    }
    if (!known.includes(found)) known.push(found)
  }
  if (known.length === 0) return yield* usage(`--format is empty; there are ${formats.join(", ")}.`)
  return known
})

const TIME = /^(?:(?:(\d{1,3}):)?([0-5]?\d):)?(\d{1,6}(?:\.\d{1,3})?)$/

/** A moment in milliseconds. */
const readTime = (option: string, given: string | undefined) =>
  Effect.suspend(() => {
    if (given === undefined) return Effect.succeed(undefined)
    const match = TIME.exec(given)
    const isClock = match?.[2] !== undefined
    if (match === null || (isClock && Number(match[3]) >= 60))
      return Effect.fail(usage(`${option} needs a time such as 90, 1:30 or 1:02:30, and "${given}" is none.`))
    const [, hours = "0", minutes = "0", seconds = "0"] = match
    return Effect.succeed(Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000))
  })

const MOST_SPEAKERS = 32

const readSpeakers = (given: string | undefined) =>
  Effect.suspend(() => {
    if (given === undefined) return Effect.succeed(undefined)
    const [, least = "", most = least] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(given) ?? []
    const [min, max] = [Number(least), Number(most)]
    return least !== "" && min >= 1 && max <= MOST_SPEAKERS && min <= max
      ? Effect.succeed({ min, max })
      : Effect.fail(
          usage(
            `--speakers needs a number from 1 to ${MOST_SPEAKERS}, or a range such as 2-4, and "${given}" is none.`,
          ),
        )
  })

const readLanguage = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) return undefined
  const { languageCodeOf } = yield* Effect.promise(() => import("@earmark/core/text"))
  return (
    languageCodeOf(given) ?? (yield* usage(`"${given}" is no language. Give a code such as en or pt-BR.`))
  )
})

const MOST_TERMS = 200
const LONGEST_TERM = 100

const readVocabulary = (given: string | undefined) =>
  Effect.suspend(() => {
    if (given === undefined) return Effect.succeed(undefined)
    const terms = partsOf(given)
    return terms.length <= MOST_TERMS && terms.every(({ length }) => length <= LONGEST_TERM)
      ? Effect.succeed(terms)
      : Effect.fail(
          usage(`--vocabulary takes at most ${MOST_TERMS} terms of at most ${LONGEST_TERM} letters.`),
        )
  })

const EPISODE_NUMBER = /^\d{1,5}$/

const readEpisode = (given: string | undefined): TranscribeRequest["episode"] => {
  if (given === undefined) return null
  return EPISODE_NUMBER.test(given) ? { index: Number(given) } : { guid: given }
}

/** What hears. Bundled apart, since it is as large as all the rest. */
const loadHost = Effect.promise(() => import("../transcribe/host.js"))

const all = {
  sources,
  format,
  output,
  diarize,
  speakers,
  language,
  quality,
  engine,
  vocabulary,
  start,
  end,
  episode,
  summary,
  chapters,
  translate,
  wordLevel,
  force,
  json,
  quiet,
  watch,
}

export const transcribe = Command.make("transcribe", all, (given) =>
  Effect.gen(function* () {
    const asked = Option.getOrUndefined
    if (given.sources.length === 0 && Option.isNone(given.watch))
      return yield* usage(
        "earmark transcribe needs <source>: a file, a folder, an address, or -. See earmark transcribe --help.",
      )
    const range = yield* readSpeakers(asked(given.speakers))
    const startAt = yield* readTime("--start", asked(given.start))
    const endAt = yield* readTime("--end", asked(given.end))
    if (endAt !== undefined && endAt <= (startAt ?? 0))
      return yield* usage("--end must come after --start: there is nothing between them.")
    const options: TranscribeRequest["options"] = {
      diarize: given.diarize || range !== undefined,
      summary: given.summary,
      chapters: given.chapters,
      speakers: range,
      language: yield* readLanguage(asked(given.language)),
      quality: asked(given.quality),
      vocabulary: yield* readVocabulary(asked(given.vocabulary)),
      startAt,
      endAt,
      translateTo: yield* readLanguage(asked(given.translate)),
    }
    const request: TranscribeRequest = {
      sources: given.sources,
      watch: asked(given.watch) ?? null,
      episode: readEpisode(asked(given.episode)),
      formats: yield* readFormats(asked(given.format)),
      wordLevel: given.wordLevel,
      output: asked(given.output) ?? null,
      options,
      engine: asked(given.engine) ?? null,
      force: given.force,
      json: given.json,
      quiet: given.quiet,
    }
    const host = yield* loadHost
    const { exitCode, problem } = yield* waitFor((signal) => host.transcribe(request, signal))
    if (exitCode !== 0) return yield* new CommandFailed({ message: problem ?? "", exitCode })
  }),
).pipe(Command.withDescription("Turn recordings into text on this machine: files, folders, podcasts, links."))

export const transcribePage: Page = {
  name: "transcribe",
  descriptor: transcribe.descriptor,
  examples: [
    "earmark transcribe talk.mp3",
    "earmark transcribe interview.mp4 --diarize -o interview.srt",
    "earmark transcribe recordings/ --format srt,txt",
    "earmark transcribe https://example.com/feed.xml --episode 0 --format md -o notes/",
    "earmark transcribe --watch inbox/ --format vtt -o done/",
  ],
  children: [],
}
