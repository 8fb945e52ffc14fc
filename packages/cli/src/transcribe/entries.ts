/** What a command line and its list name, and what is asked of each. */
import type { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"
import { isOpml } from "../feed/opml.js"
import { type Entry, entriesOf, feedsOf, readList } from "./list.js"
import { type Raw, readAsked } from "./readAsked.js"
import type { TranscribeRequest } from "./TranscribeRequest.js"

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
