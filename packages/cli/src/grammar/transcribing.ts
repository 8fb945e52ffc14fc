/** What transcribes, and the feeds that it takes from. */
import { exportFormatNames } from "@earmark/core/captions/formats"
import { engineNames } from "@earmark/runtime/settings"
import { LOCAL_FORMATS, WORD_FORMATS } from "./formats.js"
import { argument, type CommandSpec, choice, command, flag, text, whole } from "./Grammar.js"
import { colour, layout, placed } from "./shared.js"

const SERVED = exportFormatNames.filter((format) => !LOCAL_FORMATS.includes(format))

const shared = {
  ...placed,
  format: text(
    `What to write: ${SERVED.join(", ")}, and on this machine also ${LOCAL_FORMATS.join(", ")}; several with commas between [what -o FILE ends with, else txt]`,
    { short: "f", value: "FORMAT", completes: exportFormatNames },
  ),
  output: text(
    "Write to this file, into this folder (an existing one, or a name that ends with /; any name for several results), or to standard output (-) [standard output for one source; for several, next to each file, and links here]",
    { short: "o", value: "PATH", completes: "files" },
  ),
  name: text(
    'How to name results: "{show}/{date} {title}", with name, title, show, date, year, month, day, guid and number',
    { value: "PATTERN" },
  ),
  diarize: flag("Label the speakers. --no-diarize: not this time, whatever defaults.json says", {
    hasDefault: true,
  }),
  speakers: text(
    'How many people speak (2, or 2-4), or their names: "Speaker 1=Ann,Speaker 2=Bob". Labels the speakers too',
    { value: "COUNT|NAMES" },
  ),
  channels: flag(
    "Treat each channel of the recording as one person: Speaker 1 is the first. For calls, and interviews with a microphone each",
  ),
  language: text("The language that is spoken (en, de, ...) [detected]"),
  quality: choice(
    ["fast", "accurate"],
    "What matters more. Also: listen, even where the publisher has captions (on a server: accurate alone)",
  ),
  engine: choice(engineNames, "The speech engine [EARMARK_ENGINE, else auto: the best one here]"),
  vocabulary: text("Names and terms that may be said, with commas between", { value: "TERMS" }),
  summary: flag("Add a summary (md, json, html)"),
  chapters: flag("Add chapters (md, json, html)"),
  translate: text("Translate to this language, where a translator is configured", { value: "LANGUAGE" }),
  wordLevel: flag(`Show the time of every word: ${WORD_FORMATS.join(", ")}`),
  ...layout,
  force: flag(
    "Transcribe again and overwrite existing results. A server gives what it made before, and only the files are written again",
  ),
  maxMinutes: whole("Start nothing that would take the whole run over N minutes of media"),
  maxCredits: whole(
    "Start nothing that would take it over N credits: minutes, three times as many for long media with --diarize",
  ),
  noKeep: flag(
    "Do not use the library of this machine: nothing is stored in it or taken from it, and earmark jobs will not list the result",
  ),
  manifest: text("Write a line of JSON for each source to this file", { value: "FILE", completes: "files" }),
  json: flag("Print one JSON object a line for each source on standard output; results go to files"),
  quiet: flag("Print only failures"),
  verbose: flag("Print every step, and each hint again"),
  color: colour,
}

/** The headings of the options of both. */
const sections = {
  "What is written, and where": [
    "format",
    "output",
    "name",
    "wordLevel",
    "cues",
    "maxChars",
    "maxLines",
    "summary",
    "chapters",
    "translate",
    "force",
    "skipExisting",
  ],
  "How it is heard": [
    "language",
    "quality",
    "engine",
    "vocabulary",
    "diarize",
    "speakers",
    "channels",
    "start",
    "end",
  ],
  "Which episodes of a feed": ["episode", "all", "latest", "since", "match", "interval", "once", "backlog"],
  "Many sources": [
    "from",
    "jobs",
    "watch",
    "dryRun",
    "maxMinutes",
    "maxCredits",
    "resume",
    "retryFailed",
    "manifest",
    "json",
  ],
  "Where the work is done": ["local", "server", "profile", "noKeep"],
}

/** What both commands take, as a command of its own for the types. */
export interface Shared extends CommandSpec {
  readonly takes: typeof shared
}

export const transcribe = command({
  text: "Transcribe files, folders, podcasts and links, here or on a server",
  takes: {
    sources: argument(
      "source",
      "any",
      "Files, folders, patterns ('talks/**/*.mp3'), addresses (media, feed, Apple, social), or - for standard input",
      { completes: "files" },
    ),
    ...shared,
    start: text("Where to begin: 90, 1:30 or 1:02:30", { value: "TIME" }),
    end: text("Where to stop: 90, 1:30 or 1:02:30", { value: "TIME" }),
    episode: text(
      "Which episode of a feed: its number, counted from 0, the newest (the first column of earmark feed), or its GUID",
      { value: "N|GUID" },
    ),
    all: flag("Every episode of each feed, in a folder of its own with an index page"),
    latest: whole("Only the newest N episodes of each feed"),
    since: text("Only the episodes of each feed since a day (2026-11-01), or of the last days (30d)", {
      value: "DAY",
    }),
    match: text("Only the episodes of each feed with this in their title"),
    from: text(
      "Read further sources from this file, or from standard input (-): one a line, JSON lines with options of their own, or OPML",
      { value: "FILE", completes: "files" },
    ),
    jobs: whole("How many sources to work on at once [1: each has all the cores]", {
      short: "j",
      fallback: 1,
    }),
    skipExisting: flag("Skip every source whose result file exists, whatever wrote it"),
    resume: flag("Alone: continue the last run in this folder that was stopped"),
    retryFailed: flag("Also retry sources that failed before and have not changed"),
    dryRun: flag("Show what would be done, with minutes, and with credits where a server charges"),
    watch: text("Transcribe files as they are put into this folder, until Ctrl-C", {
      value: "FOLDER",
      completes: "files",
    }),
  },
  sections,
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
})

const watch = command({
  text: "Transcribe new episodes of feeds as they appear",
  takes: {
    feeds: argument(
      "feed",
      "some",
      "Addresses of feeds, Apple Podcasts links, or OPML files that list feeds",
    ),
    interval: text("How often to look: 30m, 6h, 1d [30m]. A feed that has not changed is not sent again", {
      fallback: "30m",
      value: "TIME",
    }),
    once: flag("Look once, and end: for cron and timers"),
    backlog: whole("How many of the newest episodes to transcribe that are there at the first look [0]", {
      fallback: 0,
    }),
    ...shared,
  },
  sections,
  examples: [
    "earmark feed watch https://example.com/feed.xml -o podcasts/",
    "earmark feed watch https://example.com/feed.xml --once --backlog 1 -f srt",
    "earmark feed watch subscriptions.opml -o podcasts/",
  ],
})

export const feed = command({
  text: "List the episodes of a podcast feed, newest first, or the feeds of an OPML file",
  takes: {
    source: argument(
      "source",
      "one",
      "A feed: its address, or that of a page that names it, as in Apple Podcasts; a file with RSS, Atom or JSON Feed; or - for standard input. A file that ends in .opml lists the feeds in it instead",
      { completes: "files" },
    ),
    ...placed,
    limit: whole("How many episodes to list, newest first [50]", { fallback: 50 }),
    since: text("Only the episodes since a day (2026-11-01), or of the last days (30d)", { value: "DAY" }),
    match: text("Only the episodes with this in their title"),
    details: flag("Print everything the feed says of each episode: notes, people, chapters, all files"),
    json: flag("Print one JSON object instead of a table"),
  },
  examples: [
    "earmark feed https://example.com/feed.xml --limit 3",
    "earmark feed https://example.com/feed.xml --since 30d --match interview",
    "earmark feed show.xml --details --json --limit 1",
    "curl -sL https://example.com/feed.xml | earmark feed - --json",
    "earmark feed subscriptions.opml",
    "earmark feed watch https://example.com/feed.xml -o podcasts/",
  ],
  commands: { watch },
})
