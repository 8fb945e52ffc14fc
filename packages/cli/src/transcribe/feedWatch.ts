import { join } from "node:path"
import { Clock, Effect, Schema } from "effect"
import { counted } from "./figures.js"
import { identityOf } from "./identity.js"
import { type Run, transcribeOne } from "./oneSource.js"
import type { Asked } from "./readAsked.js"
import type { Result } from "./results.js"
import type { Tell } from "./runAll.js"
import { hashOf, readRecord, writeRecord } from "./stateFiles.js"
import type { FeedWatch } from "./TranscribeRequest.js"
import { episodeItem, taskOf } from "./tasks.js"
import type { Changed, Show } from "./Workplace.js"

const Watched = Schema.Struct({
  /** Where the feed lives. */
  address: Schema.String,
  tags: Schema.Struct({ etag: Schema.NullOr(Schema.String), lastModified: Schema.NullOr(Schema.String) }),
  /** The episodes that are over: done, there before the first look, or given up. */
  over: Schema.Array(Schema.String),
  /** How often each of the others has failed; of one that another run is at, perhaps never. */
  attempts: Schema.Record({ key: Schema.String, value: Schema.Int }),
})
type Watched = typeof Watched.Type

/** An episode that fails this often is given up. */
const MOST_ATTEMPTS = 5

const NO_TAGS = { etag: null, lastModified: null }

const isOver = ({ status }: Result): boolean => status === "done" || status === "skipped"

/** What the first look leaves alone: all but the newest ones that are wanted. */
const overAtFirst = ({ episodes }: Show, backlog: number): ReadonlyArray<string> =>
  episodes.slice(backlog).map(({ guid }) => guid)

/**
 * Looks at feeds again and again, and transcribes the episodes that were not there before, oldest first. What is known of a feed is
 * written after each episode, so another run goes on where this one stopped.
 */
export const watchFeeds = Effect.fnUntraced(function* (
  run: Run,
  feeds: ReadonlyArray<string>,
  { everySeconds, once, backlog }: FeedWatch,
  asked: Asked,
  folder: string,
  tell: Tell,
) {
  const { teller, workplace } = run
  const results: Array<Result> = []

  const changed = (watched: Watched | null) =>
    watched === null
      ? Effect.succeed<Changed>({ hasChanged: true, tags: NO_TAGS })
      : workplace.changed(watched.address, watched.tags)

  const transcribeNew = Effect.fnUntraced(function* (show: Show, before: Watched, file: string) {
    let watched = before
    const fresh = show.episodes.filter(({ guid }) => !watched.over.includes(guid)).reverse()
    for (const [index, episode] of fresh.entries()) {
      const position = fresh.length === 1 ? "" : `[${index + 1}/${fresh.length}] `
      const task = taskOf(episodeItem(show, episode), asked)
      const line = teller.begin(task.item.name, position)
      const result = yield* transcribeOne(run, task, index + 1, line)
      results.push(result)
      yield* tell(result, false)
      const attempts = (watched.attempts[episode.guid] ?? 0) + (result.status === "under_way" ? 0 : 1)
      const isEnd = isOver(result) || (result.status === "failed" && attempts >= MOST_ATTEMPTS)
      const { [episode.guid]: _, ...others } = watched.attempts
      watched = {
        ...watched,
        over: isEnd ? [...watched.over, episode.guid] : watched.over,
        attempts: isEnd ? others : { ...others, [episode.guid]: attempts },
      }
      yield* writeRecord(file, watched)
    }
    return watched
  })

  const look = Effect.fnUntraced(function* (feed: string) {
    const file = join(folder, `${hashOf(feed)}.json`)
    const before = yield* readRecord(file, Watched)
    const { hasChanged, tags } = yield* changed(before)
    const isWaiting = before !== null && Object.keys(before.attempts).length > 0
    if (before !== null && !hasChanged && !isWaiting) return
    const show = yield* workplace.show(feed)
    const name = show.title ?? feed
    if (before === null) {
      const left = Math.max(0, show.episodes.length - backlog)
      yield* teller.note(`${name}: watched from now on; ${counted(left, "older episode")} left alone.`)
    }
    const watched: Watched = before ?? {
      address: show.address ?? feed,
      tags,
      over: overAtFirst(show, backlog),
      attempts: {},
    }
    yield* writeRecord(file, watched)
    const after = yield* transcribeNew(show, watched, file)
    const there = new Set(show.episodes.map(({ guid }) => guid))
    // Tags are kept last: had the work been stopped, the feed is read again.
    yield* writeRecord(file, {
      ...after,
      address: show.address ?? feed,
      tags,
      over: after.over.filter((guid) => there.has(guid)),
    })
  })

  const round = Effect.forEach(
    feeds,
    (feed) =>
      look(feed).pipe(
        Effect.catchTag("SourceFailed", ({ code, message }) => {
          const identity = identityOf({ type: "link", name: feed }, null)
          const result: Result = {
            status: "failed",
            source: feed,
            identity,
            code,
            message,
            remembered: false,
          }
          results.push(result)
          return tell(result, false)
        }),
      ),
    { discard: true },
  )

  if (once) {
    yield* round
    return results
  }
  yield* teller.note(`Watching ${counted(feeds.length, "feed")}. Ctrl-C ends it.`)
  while (true) {
    const began = yield* Clock.currentTimeMillis
    yield* round
    results.length = 0
    const took = (yield* Clock.currentTimeMillis) - began
    yield* Effect.sleep(Math.max(1000, everySeconds * 1000 - took))
  }
})
