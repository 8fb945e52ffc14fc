/** What a command line and its list name, and what is asked of each. */
import type { AskedSource } from "@earmark/batch"
import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import { isOpml } from "../feed/opml.js"
import { readAll } from "../input.js"
import { readAsked, readFeeds, readList } from "./readAsked.js"
import type { TranscribeRequest } from "./TranscribeRequest.js"

/** The text of a list. */
const textOf = (from: string) =>
  readAll(from, Number.MAX_SAFE_INTEGER).pipe(
    Effect.mapBoth({
      onFailure: ({ message }) => usage(`The list cannot be read. ${message}`),
      onSuccess: (bytes) => bytes.toString("utf8"),
    }),
  )

/** A source, or the feeds of the OPML file that it is. */
const namesOf = Effect.fnUntraced(function* (source: string) {
  if (!isOpml(source)) return [source]
  const { feeds } = yield* readFeeds(yield* textOf(source), source)
  return feeds.length > 0
    ? feeds.map(({ url }) => url)
    : yield* usage(`${source} lists no feed. Export it again, or name a feed.`)
})

/** The sources that the command names, and those of its list; a mistake in any line costs no work. */
export const readSources = Effect.fnUntraced(function* (
  { sources, from, raw }: TranscribeRequest,
  kept: (text: string) => Effect.Effect<void>,
) {
  const names = (yield* Effect.forEach(sources, namesOf)).flat()
  const asked = yield* readAsked(raw)
  const named = names.map((source): AskedSource => ({ source, asked }))
  if (from === null) return named
  const text = yield* textOf(from)
  const listed = yield* readList(text, { from, written: raw })
  yield* kept(text)
  if (listed.length === 0) return yield* usage(`The list ${from} names no source. Write one a line.`)
  return [...named, ...listed]
})
