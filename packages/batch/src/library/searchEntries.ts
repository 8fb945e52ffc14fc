/** Search over what is kept here: the rules and the pages of a service, over one transcript after the other. */

import type { SearchResults, TranscriptionsSearchAllQuery } from "@earmark/api/client"
import { JobId, Source } from "@earmark/core/jobs"
import {
  indexedWords,
  mayHold,
  momentIn,
  type WantedWords,
  wantedWords,
  wordsWithNear,
} from "@earmark/core/text"
import { SearchAllQuery, SearchAnswer, SearchQuery } from "@earmark/core/wire"
import {
  type Content,
  foundNothing,
  gatherHits,
  placeOf,
  positionOf,
  type Searched,
  type SearchPlace,
  searchIn,
} from "@earmark/service"
import { Effect, Option, Schema } from "effect"
import { isAddress } from "../sources/named.js"
import { cursorsOf } from "./cursors.js"
import { type Entry, readHead } from "./entries.js"
import { type Head, namesIn } from "./Head.js"
import { type LibraryRefused, readQuery } from "./LibraryRefused.js"
import { readNewestLines } from "./revisedContent.js"
import { linesThatFit, type PatternQuery } from "./searchPattern.js"

const encode = Schema.encodeSync(SearchAnswer)

interface Found {
  readonly answer: typeof SearchAnswer.Encoded
  readonly unreadable: ReadonlyArray<Entry>
}

/** Null when it is damaged. */
const linesOf = (folder: string, id: string): Content | null => {
  try {
    return readNewestLines(folder, id)
  } catch {
    return null
  }
}

const decodeSource = Schema.decodeOption(Source)

/** What a hit tells of its transcript; null when it is damaged. The source of a file is its path. */
export const searchedIn = (head: Head, createdAt: number): Searched["job"] | null => {
  const { id, title, source } = head.job
  const shown = Option.getOrNull(decodeSource(source))
  const path = head.again.source
  const label = path !== null && !isAddress(path) && source.feed_url === undefined ? path : undefined
  return shown === null
    ? null
    : { id: JobId.make(id), title, createdAt, speakerNames: namesIn(head), source: { shown, label } }
}

/** The transcript of an entry when it may hold what is asked for. */
export const candidateOf = (
  folder: string,
  entry: Entry,
  wanted: WantedWords | null,
  feed: string | undefined,
): Searched | "other" | "damaged" => {
  const head = readHead(entry)
  if (head === null) return "damaged"
  if (feed !== undefined && head.job.source.feed_url !== feed) return "other"
  const content = linesOf(folder, entry.id)
  if (content === null) return "damaged"
  if (wanted !== null && !mayHold(indexedWords(content.segments), wanted)) return "other"
  const job = searchedIn(head, entry.createdAt)
  return job === null ? "damaged" : { job, content }
}

/** So that Ctrl-C is heard. */
export const breath = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** In all of them, newest first. */
export const searchEntries = (
  folder: string,
  entries: ReadonlyArray<Entry>,
  query: TranscriptionsSearchAllQuery,
): Effect.Effect<Found, LibraryRefused> =>
  Effect.gen(function* () {
    const asked = yield* readQuery(SearchAllQuery, query)
    const { cursor, limit: _, ...filters } = asked
    const cursors = cursorsOf("search", filters)
    const begin = placeOf(yield* cursors.open(cursor))
    const after = asked.createdAfter?.epochMillis ?? Number.NEGATIVE_INFINITY
    const before = asked.createdBefore?.epochMillis ?? Number.POSITIVE_INFINITY
    const done = entries.filter(
      ({ createdAt, status }) => status === "done" && createdAt > after && createdAt < before,
    )
    const gather = Effect.fnUntraced(function* (from: SearchPlace | null, near: boolean) {
      const hits = gatherHits(asked, from, near)
      const words = wantedWords(asked.q, { near })
      const unreadable: Array<Entry> = []
      let isEnd = true
      for (const entry of words.length === 0 ? [] : done) {
        const { id, createdAt } = entry
        const isBefore =
          from !== null && (createdAt > from.createdAt || (createdAt === from.createdAt && id > from.id))
        if (isBefore) continue
        if (hits.isEnough(0)) {
          isEnd = false
          break
        }
        const candidate = candidateOf(folder, entry, words, asked.feed)
        if (candidate === "damaged") unreadable.push(entry)
        else if (candidate !== "other") hits.add(candidate)
        yield* breath
      }
      return { answer: hits.answer(isEnd, (place) => cursors.at(positionOf(place))), unreadable }
    })
    const near = begin?.near ?? false
    const isAnyMissing = () =>
      wordsWithNear(asked.q).some(
        (words) => !done.some((entry) => typeof candidateOf(folder, entry, words, undefined) === "object"),
      )
    const exact = yield* gather(begin, near)
    const found = near || !foundNothing(exact.answer) || !isAnyMissing() ? exact : yield* gather(null, true)
    return { answer: encode(found.answer), unreadable: found.unreadable }
  })

/** The lines of all of them that a pattern fits, newest first. */
export const searchEach = (
  folder: string,
  entries: ReadonlyArray<Entry>,
  pattern: RegExp,
  query: PatternQuery,
): Effect.Effect<
  {
    readonly hits: ReadonlyArray<SearchResults["data"][number]>
    readonly unreadable: ReadonlyArray<Entry>
  },
  LibraryRefused
> =>
  Effect.gen(function* () {
    const hits: Array<SearchResults["data"][number]> = []
    const unreadable: Array<Entry> = []
    for (const entry of entries) {
      const candidate = candidateOf(folder, entry, null, query.feed)
      if (candidate === "damaged") unreadable.push(entry)
      else if (candidate !== "other")
        for (const hit of yield* linesThatFit(candidate.job, candidate.content.segments, pattern, query))
          hits.push(hit)
      yield* breath
    }
    return { hits, unreadable }
  })

/** Lines are looked through without their words: the moments of those that are shown come from what is kept of each word. */
export const withMoments = <E>(
  found: SearchResults,
  contentOf: (id: string) => Effect.Effect<Content, E>,
): Effect.Effect<SearchResults, E> =>
  Effect.gen(function* () {
    const contents = new Map<string, Content>()
    for (const { id } of found.data) if (!contents.has(id)) contents.set(id, yield* contentOf(id))
    const data = found.data.map((hit) => {
      const segment = contents
        .get(hit.id)
        ?.segments.find(({ start, text }) => start === Math.round(hit.start * 1000) && text === hit.text)
      const place = hit.highlights[0]?.[0] ?? 0
      return segment === undefined ? hit : { ...hit, at: momentIn(segment, place) / 1000 }
    })
    return { ...found, data }
  })

/** In one of them, in the order of time. */
export const searchEntry = (
  { job, content }: Searched,
  query: object,
): Effect.Effect<typeof SearchAnswer.Encoded, LibraryRefused> =>
  Effect.gen(function* () {
    const asked = yield* readQuery(SearchQuery, query)
    const { cursor, limit, ...filters } = asked
    const cursors = cursorsOf("search", { ...filters, id: job.id })
    const [offset] = (yield* cursors.open(cursor)) ?? []
    const place = { limit, offset: typeof offset === "number" ? offset : 0 }
    return encode(searchIn([{ job, content }], asked, place, (next) => cursors.at([next])))
  })
