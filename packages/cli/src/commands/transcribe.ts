import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { usage } from "../CommandFailed.js"
import type { Page } from "../help.js"
import { isStandardInput, STANDARD_INPUT } from "../input.js"
import { isResume } from "../resume.js"
import { readSince } from "../transcribe/since.js"
import type { EpisodesWanted } from "../transcribe/TranscribeRequest.js"
import { runTranscribe } from "./runTranscribe.js"
import { rawOf, requestOf, shared } from "./transcribeOptions.js"

const sources = Args.text({ name: "source" }).pipe(
  Args.withDescription(
    "Files, folders, patterns ('talks/**/*.mp3'), addresses (media, feed, Apple, social), or - for standard input.",
  ),
  Args.repeated,
)

const text = (name: string, sentence: string) =>
  Options.text(name).pipe(Options.withDescription(sentence), Options.optional)

const flag = (name: string, sentence: string) => Options.boolean(name).pipe(Options.withDescription(sentence))

const options = {
  ...shared,
  start: text("start", "Where to begin: 90, 1:30 or 1:02:30."),
  end: text("end", "Where to stop, likewise."),
  episode: text(
    "episode",
    "Which episode of a feed: its number, counted from 0, the newest (the first column of earmark feed), or its GUID.",
  ),
  all: flag("all", "Every episode of each feed, in a folder of its own with an index page."),
  latest: Options.integer("latest").pipe(
    Options.withDescription("The newest so many episodes of each feed, likewise."),
    Options.optional,
  ),
  since: text("since", "The episodes since a day (2026-11-01), or of the last days (30d), likewise."),
  match: text("match", "The episodes with this in their title, likewise."),
  from: text(
    "from",
    "Take further sources from this file, or from standard input (-): one a line, JSON lines with options of their own, or OPML.",
  ),
  jobs: Options.integer("jobs").pipe(
    Options.withAlias("j"),
    Options.withDescription("How many sources are under way at once (1: each has all the cores)."),
    Options.withDefault(1),
  ),
  skipExisting: flag("skip-existing", "Take whatever has the name of a result for done, whoever made it."),
  resume: flag("resume", "Alone: go on with the last run in this folder that did not come to its end."),
  retryFailed: flag("retry-failed", "Also try what failed before and has not changed since."),
  dryRun: flag("dry-run", "Only tell what would be done, with minutes and credits."),
  watch: text("watch", "Transcribe what is put into this folder, until Ctrl-C."),
}

const RESUME_WITH =
  "--resume stands alone: it goes on with the sources and options of the run that was stopped. Leave it out; what is done already is skipped."

const NOTHING_TO_RESUME =
  "There is nothing to go on with in this folder: no run was stopped here. Name what to transcribe; what is done already is skipped."

export const transcribe = Command.make("transcribe", { sources, ...options }, (given) =>
  Effect.gen(function* () {
    const or = Option.getOrUndefined
    const watch = or(given.watch) ?? null
    const list = or(given.from) ?? null
    const from = list === "-" || (list !== null && isStandardInput(list)) ? STANDARD_INPUT : list
    if (given.resume) return yield* usage(isResume(process.argv.slice(2)) ? NOTHING_TO_RESUME : RESUME_WITH)
    if (given.sources.length === 0 && watch === null && from === null) {
      return yield* usage(
        "earmark transcribe needs <source>: a file, a folder, an address, or -. See earmark transcribe --help.",
      )
    }
    const wanted: EpisodesWanted = {
      latest: or(given.latest) ?? null,
      since: yield* readSince(or(given.since)),
      match: or(given.match) ?? null,
    }
    const isWhole = given.all || Object.values(wanted).some((each) => each !== null)
    if (isWhole && Option.isSome(given.episode)) {
      return yield* usage(
        "--episode names one episode, and --all, --latest, --since and --match several: give one kind.",
      )
    }
    if (from === STANDARD_INPUT && given.sources.some(isStandardInput))
      return yield* usage("Standard input is named twice: it can be a recording (-) or a list (--from -).")
    const request = {
      ...requestOf(given, given.sources),
      raw: { ...rawOf(given), start: or(given.start), end: or(given.end), episode: or(given.episode) },
      from,
      watch,
      episodes: isWhole ? wanted : null,
      jobs: given.jobs,
      skipExisting: given.skipExisting,
      retryFailed: given.retryFailed,
      dryRun: given.dryRun,
      words: process.argv.slice(2),
    }
    return yield* runTranscribe(request, given)
  }),
).pipe(
  Command.withDescription("Turn recordings into text, here or on a server: files, folders, podcasts, links."),
)

export const transcribePage: Page = {
  name: "transcribe",
  descriptor: transcribe.descriptor,
  examples: [
    "earmark transcribe talk.mp3",
    "earmark transcribe interview.mp4 --diarize -o interview.srt",
    "earmark transcribe call.wav --channels -o call.md",
    "earmark transcribe recordings/ --format srt,txt --jobs 2",
    "earmark transcribe https://example.com/feed.xml --episode 0 -f md -o notes/",
    "earmark transcribe https://example.com/feed.xml --latest 3 --format txt,vtt",
    "earmark transcribe https://example.com/feed.xml --all --dry-run",
    "find . -name '*.m4a' -print0 | earmark transcribe --from - --json",
    "earmark transcribe --watch inbox/ --format vtt -o done/",
    "earmark transcribe talks/ --format srt --server https://transcripts.example",
  ],
  children: [],
}
