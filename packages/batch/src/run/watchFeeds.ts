import { join } from "node:path"
import type { FileSystem, Path } from "@effect/platform"
import { Clock, Effect, Schema } from "effect"
import type { Asked } from "../Asked.js"
import { identityOf } from "../results/identity.js"
import type { Result } from "../results/results.js"
import { SourceFailed } from "../SourceFailed.js"
import { hashOf, readRecord, writeRecord } from "../state/stateFiles.js"
import type { Changed, Show } from "../work/Workplace.js"
import { transcribeOne } from "./oneSource.js"
import type { Run } from "./Run.js"
import type { OnResult } from "./runAll.js"
import { episodeItem, taskOf } from "./tasks.js"

/** Feeds that are looked at again and again. */
export interface FeedWatch {
  readonly everySeconds: number
  /** Look once, and end: for cron. */
  readonly once: boolean
  /** How many of the episodes that are there the first time are wanted. */
  readonly backlog: number
}

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

const isSourceFailed = (error: unknown): error is SourceFailed => error instanceof SourceFailed

const isOver = ({ status }: Result): boolean => status === "done" || status === "skipped"

/** What the first look leaves alone: all but the newest ones that are wanted. */
const overAtFirst = ({ episodes }: Show, backlog: number): ReadonlyArray<string> =>
  episodes.slice(backlog).map(({ guid }) => guid)

/**
 * Looks at feeds again and again, and transcribes the episodes that were not there before, oldest first. What is known of a feed is
 * written after each episode, so another run goes on where this one stopped.
 */
export const watchFeeds = <E>(
  run: Run,
  feeds: ReadonlyArray<string>,
  { everySeconds, once, backlog }: FeedWatch,
  asked: Asked,
  folder: string,
  onResult: OnResult<E>,
): Effect.Effect<ReadonlyArray<Result>, E, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { observer, workplace } = run
    const tell = (result: Result) => onResult(result, { isOnly: false, isListed: false })
    const results: Array<Result> = []

    const changed = (watched: Watched | null) =>
      watched === null
        ? Effect.succeed<Changed>({ hasChanged: true, tags: NO_TAGS })
        : workplace.changed(watched.address, watched.tags)

    const transcribeNew = Effect.fnUntraced(function* (show: Show, before: Watched, file: string) {
      let watched = before
      const fresh = show.episodes.filter(({ guid }) => !watched.over.includes(guid)).reverse()
      for (const [index, episode] of fresh.entries()) {
        const position = fresh.length === 1 ? null : { number: index + 1, all: fresh.length }
        const task = taskOf(episodeItem(show, episode), asked)
        const line = observer.begin(task.item.name, position)
        const result = yield* transcribeOne(run, task, index + 1, line)
        results.push(result)
        yield* tell(result)
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
        yield* observer.notice({ type: "feed_added", name, left })
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
          Effect.catchIf(isSourceFailed, ({ code, message }) => {
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
            return tell(result)
          }),
        ),
      { discard: true },
    )

    if (once) {
      yield* round
      return results
    }
    yield* observer.notice({ type: "watching_feeds", count: feeds.length })
    while (true) {
      const began = yield* Clock.currentTimeMillis
      yield* round
      results.length = 0
      const took = (yield* Clock.currentTimeMillis) - began
      yield* Effect.sleep(Math.max(1000, everySeconds * 1000 - took))
    }
  })
