/** What `earmark transcribe` and `earmark feed watch` take alike. */
import type { CaptionProfileName } from "@earmark/core/captions"
import { Options } from "@effect/cli"
import { Option } from "effect"
import { ENGINES } from "../defaults.js"
import { FORMATS, LOCAL_FORMATS, type Raw, WORD_FORMATS } from "../transcribe/readAsked.js"
import type { TranscribeRequest } from "../transcribe/TranscribeRequest.js"
import { colour } from "./colour.js"
import { cues, maxChars, maxLines } from "./layout.js"
import { local, named } from "./remote/options.js"

const text = (name: string, sentence: string) =>
  Options.text(name).pipe(Options.withDescription(sentence), Options.optional)

const flag = (name: string, sentence: string) => Options.boolean(name).pipe(Options.withDescription(sentence))

const SERVED = FORMATS.filter((format) => !LOCAL_FORMATS.includes(format))

const format = Options.text("format").pipe(
  Options.withAlias("f"),
  Options.withDescription(
    `What to write: ${SERVED.join(", ")}, and on this machine also ${LOCAL_FORMATS.join(", ")}; several with commas between. Plain text, or what -o FILE ends with, when left out.`,
  ),
  Options.optional,
)

const output = Options.text("output").pipe(
  Options.withAlias("o"),
  Options.withDescription(
    "Write to this file, into this folder (one that is there, that ends with /, or any name for several results), or to standard output (-). Left out, one source goes to standard output; the results of several go beside each file, and of links here.",
  ),
  Options.optional,
)

export const shared = {
  ...named,
  local,
  format,
  output,
  name: text(
    "name",
    'How results are named: "{show}/{date} {title}", with name, title, show, date, year, month, day, guid and number.',
  ),
  diarize: flag("diarize", "Tell the speakers apart."),
  speakers: text(
    "speakers",
    'Label speakers, as --diarize does. Give their number (2, or 2-4) or their names ("Speaker 1=Ann,Speaker 2=Bob").',
  ),
  channels: flag(
    "channels",
    "Each channel of the recording is one person: Speaker 1 is the first. For calls and interviews with a microphone each.",
  ),
  language: text("language", "The language that is spoken (en, de, ...); found out when left out."),
  quality: Options.choice("quality", ["fast", "accurate"]).pipe(
    Options.withDescription(
      "What matters more. Also: listen, even where the publisher has captions (on a server: accurate alone).",
    ),
    Options.optional,
  ),
  engine: Options.choice("engine", ENGINES).pipe(
    Options.withDescription(
      "What listens: the best that is here (auto), unless EARMARK_ENGINE says otherwise.",
    ),
    Options.optional,
  ),
  vocabulary: text("vocabulary", "Names and terms that may be said, with commas between."),
  summary: flag("summary", "Add a summary (md, json, html)."),
  chapters: flag("chapters", "Add chapters (md, json, html)."),
  translate: text("translate", "Translate to this language, where a translator is configured."),
  wordLevel: flag("word-level", `Show the time of every word: ${WORD_FORMATS.join(", ")}.`),
  cues: Options.optional(cues),
  maxChars,
  maxLines,
  force: flag("force", "Also hear what is done already or is in the library, and write over what is there."),
  maxMinutes: Options.integer("max-minutes").pipe(
    Options.withDescription("Begin nothing that would take the whole run over so many minutes of media."),
    Options.optional,
  ),
  maxCredits: Options.integer("max-credits").pipe(
    Options.withDescription(
      "The same in credits: minutes, three times as many for long media with --diarize.",
    ),
    Options.optional,
  ),
  noKeep: flag(
    "no-keep",
    "Keep nothing in the library of this machine, and take nothing from it: earmark jobs will not know of it.",
  ),
  manifest: text("manifest", "Write a line of JSON for each source to this file."),
  json: flag("json", "One JSON object a line for each source on standard output; results go to files."),
  quiet: flag("quiet", "Tell nothing but failures."),
  verbose: flag("verbose", "Tell every step, and each hint again."),
  colour,
}

const or = <Value>(given: Option.Option<Value>): Value | undefined => Option.getOrUndefined(given)

interface Given {
  readonly format: Option.Option<string>
  readonly output: Option.Option<string>
  readonly name: Option.Option<string>
  readonly diarize: boolean
  readonly speakers: Option.Option<string>
  readonly channels: boolean
  readonly language: Option.Option<string>
  readonly quality: Option.Option<"fast" | "accurate">
  readonly engine: Option.Option<string>
  readonly vocabulary: Option.Option<string>
  readonly summary: boolean
  readonly chapters: boolean
  readonly translate: Option.Option<string>
  readonly wordLevel: boolean
  readonly cues: Option.Option<CaptionProfileName>
  readonly maxChars: Option.Option<number>
  readonly maxLines: Option.Option<number>
  readonly force: boolean
  readonly maxMinutes: Option.Option<number>
  readonly maxCredits: Option.Option<number>
  readonly noKeep: boolean
  readonly manifest: Option.Option<string>
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly colour: TranscribeRequest["colour"]
}

export const rawOf = (given: Given): Raw => ({
  format: or(given.format),
  diarize: given.diarize,
  speakers: or(given.speakers),
  channels: given.channels,
  language: or(given.language),
  quality: or(given.quality),
  vocabulary: or(given.vocabulary),
  summary: given.summary,
  chapters: given.chapters,
  translate: or(given.translate),
  wordLevel: given.wordLevel,
  cues: or(given.cues),
  maxChars: or(given.maxChars),
  maxLines: or(given.maxLines),
  name: or(given.name),
})

/** The part of a request that both commands say; the rest is as when nothing is said. */
export const requestOf = (given: Given, sources: ReadonlyArray<string>): TranscribeRequest => ({
  sources,
  from: null,
  watch: null,
  feedWatch: null,
  episodes: null,
  raw: rawOf(given),
  output: or(given.output) ?? null,
  engine: or(given.engine) ?? null,
  keep: !given.noKeep,
  places: null,
  server: null,
  jobs: 1,
  force: given.force,
  skipExisting: false,
  retryFailed: false,
  dryRun: false,
  maxMinutes: or(given.maxMinutes) ?? null,
  maxCredits: or(given.maxCredits) ?? null,
  manifest: or(given.manifest) ?? null,
  json: given.json,
  quiet: given.quiet,
  verbose: given.verbose,
  colour: given.colour,
  words: [],
})
