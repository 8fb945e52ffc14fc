/** From the sources that were named to the list of what is to be done. */
import { effectiveOptions, type OptionsSnapshot } from "@earmark/core/jobs"
import type { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"
import { isOpml } from "../feed/opml.js"
import { STANDARD_INPUT } from "../input.js"
import { printable } from "../output.js"
import { counted } from "./figures.js"
import { fits } from "./fits.js"
import { type Entry, entriesOf, feedsOf, type Pinned, readList } from "./list.js"
import { type Asked, type Raw, readAsked } from "./readAsked.js"
import { broken, type Item, isMedia, itemsOf, keyOf } from "./sources.js"
import type { EpisodesWanted, TranscribeRequest } from "./TranscribeRequest.js"
import type { EpisodeChoice, Show, Workplace } from "./Workplace.js"

/** One thing to do. */
export interface Task {
  readonly item: Item
  readonly asked: Asked
  readonly options: OptionsSnapshot
}

export const taskOf = (item: Item, asked: Asked): Task => ({
  item,
  asked,
  options: effectiveOptions(asked.options),
})

const titleOf = ({ title, guid }: Show["episodes"][number]): string => title ?? guid

/** The episodes that are wanted, newest first. */
const selected = (episodes: Show["episodes"], wanted: EpisodesWanted): Show["episodes"] =>
  episodes.filter(fits(wanted)).slice(0, wanted.latest ?? undefined)

const chosen = (episodes: Show["episodes"], choice: EpisodeChoice): Show["episodes"] =>
  episodes.filter((episode) =>
    choice !== null && "guid" in choice ? episode.guid === choice.guid : episode.index === choice?.index,
  )

/** A file that is named together with episodes of it, and not like a recording. */
const mayBeFeed = (item: Item): boolean => item.type === "file" && !isMedia(item.path)

/** What may be named together with episodes of it. */
type FeedItem = Exclude<Item, { readonly type: "episode" | "broken" }>

/** Where the feed is that something names together with episodes of it. */
const feedOf = (item: FeedItem): string => (item.type === "input" ? (item.path ?? STANDARD_INPUT) : item.name)

export const episodeItem = (show: Show, episode: Show["episodes"][number]): Item => ({
  type: "episode",
  name: printable(titleOf(episode)),
  show,
  episode,
})

/** The episode that a line of results names, or why it is not there. */
const pinnedIn = (showOf: Workplace["show"], source: string, pinned: Pinned) =>
  showOf(pinned.feed).pipe(
    Effect.map((show) => {
      const episode = show.episodes.find(({ guid }) => guid === pinned.guid)
      return episode === undefined
        ? broken(source, `${pinned.feed} does not list this episode any more.`, "episode_not_found", pinned)
        : episodeItem(show, episode)
    }),
    Effect.catchTag("SourceFailed", ({ code, message }) =>
      Effect.succeed(broken(source, `${pinned.feed}: ${message}`, code, pinned)),
    ),
  )

/** The wanted episodes of a feed at an address or in a file, or why there are none. */
const episodesOf = (
  showOf: Workplace["show"],
  item: FeedItem,
  select: (episodes: Show["episodes"]) => Show["episodes"],
) =>
  showOf(feedOf(item)).pipe(
    Effect.map((show): ReadonlyArray<Item> => {
      const episodes = select(show.episodes)
      if (episodes.length > 0) return episodes.map((episode) => episodeItem(show, episode))
      const all = show.episodes.length
      return [
        broken(
          item.name,
          `The feed has ${counted(all, "episode")}, and none that fits; earmark feed lists them.`,
          "episode_not_found",
        ),
      ]
    }),
    Effect.catchTag("SourceFailed", ({ code, message }) =>
      Effect.succeed([broken(item.name, message, code)]),
    ),
  )

/** The words of each line count more than those of the command. */
const together = (all: Raw, line: Raw): Raw => {
  const given = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined))
  return { ...all, ...given }
}

/** What is asked of an entry. */
const askedOf = ({ raw, from }: TranscribeRequest, entry: Entry) =>
  readAsked(together(raw, entry.raw)).pipe(
    Effect.mapError((failure) =>
      entry.line === null ? failure : usage(`Line ${entry.line} of ${from}: ${failure.message}`),
    ),
  )

/** A source, or the feeds of the OPML file that it is. */
const namedEntries = (
  source: string,
): Effect.Effect<ReadonlyArray<Entry>, CommandFailed, FileSystem.FileSystem> =>
  isOpml(source)
    ? Effect.gen(function* () {
        const feeds = yield* feedsOf(yield* readList(source), source)
        return feeds.length > 0
          ? feeds
          : yield* usage(`${source} lists no feed. Export it again, or name a feed.`)
      })
    : Effect.succeed([{ source, raw: {}, line: null }])

/** The sources that the command names, and those of its list. */
export const readEntries = (
  request: TranscribeRequest,
  kept: (text: string) => Effect.Effect<void>,
): Effect.Effect<ReadonlyArray<Entry>, CommandFailed, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { sources, from } = request
    const lists = yield* Effect.forEach(sources, namedEntries)
    const named = lists.flat()
    if (from === null) return named
    const text = yield* readList(from)
    yield* kept(text)
    const listed = yield* entriesOf(text, from, (entry) => askedOf(request, entry))
    if (listed.length === 0) return yield* usage(`The list ${from} names no source. Write one a line.`)
    return [...named, ...listed]
  })

/** What is asked of each entry; a mistake in any line costs no work. */
export const readTasks = (request: TranscribeRequest, entries: ReadonlyArray<Entry>) =>
  Effect.forEach(entries, (entry) => Effect.map(askedOf(request, entry), (asked) => ({ ...entry, asked })))

/** Everything to do, in order, each thing once. */
export const tasksOf = Effect.fnUntraced(function* (
  workplace: Workplace,
  wanted: EpisodesWanted | null,
  entries: Effect.Effect.Success<ReturnType<typeof readTasks>>,
) {
  // Many lines may name the same feed.
  const showOf = yield* Effect.cachedFunction(workplace.show)
  const lists = yield* Effect.forEach(entries, ({ source, asked, episode }) =>
    Effect.gen(function* () {
      if (episode !== undefined) return [taskOf(yield* pinnedIn(showOf, source, episode), asked)]
      const items = yield* itemsOf(source)
      const other = items.find((item) => item.type === "file" && !mayBeFeed(item))
      if (wanted !== null && other !== undefined)
        return yield* usage(
          `--all, --latest, --since and --match choose among the episodes of feeds, and ${other.name} is none. Transcribe it without them, in a run of its own.`,
        )
      const whole = yield* Effect.forEach(items, (item) =>
        wanted !== null && item.type !== "episode" && item.type !== "broken"
          ? episodesOf(showOf, item, (episodes) => selected(episodes, wanted))
          : asked.episode !== null && item.type === "file" && mayBeFeed(item)
            ? episodesOf(showOf, item, (episodes) => chosen(episodes, asked.episode))
            : Effect.succeed([item]),
      )
      return whole.flat().map((item) => taskOf(item, asked))
    }),
  )
  const seen = new Set<string>()
  return lists.flat().filter((task) => {
    const { options, asked } = task
    const key = JSON.stringify([keyOf(task.item), options, asked.episode, asked.formats])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
})
