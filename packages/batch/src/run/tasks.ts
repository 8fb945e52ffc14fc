/** From the sources that were named to the list of what is to be done. */
import { effectiveOptions, type OptionsSnapshot } from "@earmark/core/jobs"
import { FoundOnce } from "@earmark/service"
import { Effect } from "effect"
import type { Asked, EpisodeChoice, EpisodesWanted } from "../Asked.js"
import { BatchRefused } from "../BatchRefused.js"
import type { Explain } from "../Problem.js"
import { printable } from "../results/printable.js"
import { fits } from "../sources/fits.js"
import { STANDARD_INPUT } from "../sources/named.js"
import { broken, type Item, isMedia, itemsOf, keyOf } from "../sources/sources.js"
import type { Show, Workplace } from "../work/Workplace.js"

/** An episode of a whole feed. */
export interface Pinned {
  readonly feed: string
  readonly guid: string
  readonly index: number
}

/** Something that was named (a file, folder, pattern or address), with what is asked of it. */
export interface AskedSource {
  readonly source: string
  readonly asked: Asked
  /** The episode of a feed that it is the result of, which is found again by its GUID. */
  readonly episode?: Pinned | undefined
}

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

/** Whether it is no failure that a feed has none of them: it has had nothing new for a while. */
const mayBeNone = (wanted: EpisodesWanted): boolean => wanted.since !== null && wanted.match === null

interface Select {
  readonly select: (episodes: Show["episodes"]) => Show["episodes"]
  readonly mayBeNone: boolean
}

/** The wanted episodes of a feed at an address or in a file, or why there are none. */
const episodesOf = (
  showOf: Workplace["show"],
  item: FeedItem,
  { select, mayBeNone }: Select,
  explain: Explain,
) =>
  showOf(feedOf(item)).pipe(
    Effect.map((show): ReadonlyArray<Item> => {
      const episodes = select(show.episodes)
      if (episodes.length > 0 || mayBeNone) return episodes.map((episode) => episodeItem(show, episode))
      const all = show.episodes.length
      return [broken(item.name, explain({ reason: "no_such_episode", count: all }), "episode_not_found")]
    }),
    Effect.catchTag("SourceFailed", ({ code, message }) =>
      Effect.succeed([broken(item.name, message, code)]),
    ),
  )

/** Everything to do, in order, each thing once. */
export const tasksOf = Effect.fnUntraced(function* (
  workplace: Workplace,
  wanted: EpisodesWanted | null,
  entries: ReadonlyArray<AskedSource>,
  explain: Explain,
) {
  // Many lines may name the same feed.
  const showOf = yield* FoundOnce.byKey(workplace.show)
  const lists = yield* Effect.forEach(entries, ({ source, asked, episode }) =>
    Effect.gen(function* () {
      if (episode !== undefined) return [taskOf(yield* pinnedIn(showOf, source, episode), asked)]
      const items = yield* itemsOf(source)
      const other = items.find((item) => item.type === "file" && !mayBeFeed(item))
      if ((wanted !== null || asked.episode !== null) && other !== undefined)
        return yield* new BatchRefused({
          reason: "not_a_feed",
          subject: other.name,
          message: `Only feeds have episodes to choose from, and ${other.name} is not a feed. Transcribe it in a separate run.`,
        })
      const whole = yield* Effect.forEach(items, (item) =>
        wanted !== null && item.type !== "episode" && item.type !== "broken"
          ? episodesOf(
              showOf,
              item,
              { select: (episodes) => selected(episodes, wanted), mayBeNone: mayBeNone(wanted) },
              explain,
            )
          : asked.episode !== null && item.type === "file" && mayBeFeed(item)
            ? episodesOf(
                showOf,
                item,
                { select: (episodes) => chosen(episodes, asked.episode), mayBeNone: false },
                explain,
              )
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
