import type { Episode, EpisodeDetails, Feed } from "@earmark/core/feeds"
import { Args, Command, Options } from "@effect/cli"
import { Clock, DateTime, Effect, Either, Stream } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Page } from "../help.js"
import { open } from "../input.js"
import { note, print, printable } from "../output.js"
import { feedWatchPage } from "./feedWatch.js"

const source = Args.text({ name: "source" }).pipe(
  Args.withDescription("A feed: a file with RSS, Atom or JSON Feed, or - for standard input."),
)

const limit = Options.integer("limit").pipe(
  Options.withDescription("How many episodes to list, newest first (default 50)."),
  Options.withDefault(50),
)

const details = Options.boolean("details").pipe(
  Options.withDescription("Everything the feed says of each episode: notes, people, chapters, all files."),
)

const json = Options.boolean("json").pipe(Options.withDescription("One JSON object instead of a table."))

const instant = (milliseconds: number | null) =>
  milliseconds === null ? null : DateTime.formatIso(DateTime.unsafeMake(milliseconds))

const seconds = (milliseconds: number) => milliseconds / 1000

const detailsOnWire = (details: EpisodeDetails) => ({
  description: details.description,
  summary: details.summary,
  subtitle: details.subtitle,
  author: details.author,
  explicit: details.explicit,
  season: details.season,
  episode: details.episode,
  episode_type: details.episodeType,
  keywords: details.keywords,
  categories: details.categories,
  updated_at: instant(details.updatedAt),
  enclosure: details.enclosure,
  alternate_enclosures: details.alternateEnclosures.map(({ isDefault, sources, ...rest }) => ({
    ...rest,
    default: isDefault,
    sources: sources.map(({ uri, contentType }) => ({ uri, content_type: contentType })),
  })),
  chapters_file: details.chaptersFile,
  chapters: details.chapters.map((mark) => ({ ...mark, start: seconds(mark.start) })),
  persons: details.persons,
  soundbites: details.soundbites.map((bite) => ({
    start: seconds(bite.start),
    duration: seconds(bite.duration),
    title: bite.title,
  })),
})

const episodeOnWire = (episode: Episode) => ({
  index: episode.index,
  title: episode.title,
  guid: episode.guid,
  published_at: instant(episode.publishedAt),
  duration_seconds: episode.durationSeconds,
  audio_url: episode.audioUrl,
  link: episode.link,
  image: episode.image,
  transcripts: episode.transcripts,
  ...(episode.details === null ? {} : detailsOnWire(episode.details)),
})

const onWire = (feed: Feed) => ({
  total: feed.total,
  returned: feed.episodes.length,
  feed: {
    title: feed.title,
    link: feed.link,
    language: feed.language,
    image: feed.image,
    author: feed.author,
  },
  data: feed.episodes.map(episodeOnWire),
})

const asJson = (feed: Feed) => `${JSON.stringify(onWire(feed), null, 2)}\n`

const clock = (length: number | null): string => {
  if (length === null) return "?"
  const minutes = Math.floor(length / 60) % 60
  const rest = String(length % 60).padStart(2, "0")
  return length < 3600
    ? `${minutes}:${rest}`
    : `${Math.floor(length / 3600)}:${String(minutes).padStart(2, "0")}:${rest}`
}

const asTable = (feed: Feed): string => {
  const rows = feed.episodes.map((episode) => [
    String(episode.index),
    instant(episode.publishedAt)?.slice(0, 10) ?? "no date",
    clock(episode.durationSeconds),
    printable(episode.title ?? episode.guid),
  ])
  const count = `${feed.total} ${feed.total === 1 ? "episode" : "episodes"}`
  const shown = feed.episodes.length < feed.total ? `, the newest ${feed.episodes.length}` : ""
  const lines = rows.map(
    ([index = "", day = "", length = "", title = ""]) =>
      `${index.padStart(5)}  ${day.padEnd(10)}  ${length.padStart(8)}  ${title}`,
  )
  return [`${printable(feed.title ?? "Untitled feed")}: ${count}${shown}`, ...lines, ""].join("\n")
}

const asPages = (feed: Feed): string =>
  feed.episodes
    .map((episode) => {
      const fields = Object.entries(episodeOnWire(episode)).filter(
        ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
      )
      return fields
        .map(
          ([name, value]) =>
            `${name}: ${printable(typeof value === "string" ? value : JSON.stringify(value))}`,
        )
        .join("\n")
    })
    .join("\n\n")
    .concat("\n")

export const feed = Command.make("feed", { source, limit, details, json }, (options) =>
  Effect.gen(function* () {
    if (options.limit < 1) {
      return yield* usage(
        `--limit must be 1 or more: it says how many episodes to list, and got ${options.limit}.`,
      )
    }
    const { feedReader } = yield* Effect.promise(() => import("@earmark/core/feeds"))
    const reader = feedReader({
      newest: options.limit,
      details: options.details,
      now: yield* Clock.currentTimeMillis,
    })
    yield* Stream.runForEach(yield* open(options.source), (chunk) => Effect.sync(() => reader.push(chunk)))
    const read = reader.end()
    if (Either.isLeft(read)) return yield* failed(`${options.source}: ${read.left.message}`)
    const show = options.json ? asJson : options.details ? asPages : asTable
    yield* print(show(read.right))
    if (read.right.isCutOff) {
      yield* note(
        `${options.source}: the feed is cut off before its end; the episodes before the cut are listed`,
      )
    }
  }),
).pipe(Command.withDescription("List the episodes of a podcast feed, newest first."))

export const feedPage: Page = {
  name: "feed",
  descriptor: feed.descriptor,
  examples: [
    "earmark feed show.xml --limit 3",
    "curl -sL https://example.com/feed.xml | earmark feed - --json",
    "earmark feed show.xml --details --json --limit 1",
    "earmark feed watch https://example.com/feed.xml -o podcasts/",
  ],
  children: [feedWatchPage],
  takesArguments: true,
}
