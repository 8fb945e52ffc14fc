import type { CursorPosition } from "@earmark/core/requests"
import { prepareSearch, searchNorm } from "@earmark/core/text"
import { type SpeakerNames, speakerName } from "@earmark/core/transcripts"
import type { SearchAllQuery, SearchAnswer, SearchHit, SearchQuery } from "@earmark/core/wire"
import type { Position } from "../ports/JobStore.js"
import type { Content, StoredJob } from "../ports/records.js"

/** A transcript as a search needs it: its words and their times may be left out. */
export interface Searched {
  readonly job: Pick<StoredJob, "id" | "title" | "createdAt" | "speakerNames">
  readonly content: Pick<Content, "language" | "segments">
}

/** Normalised words of a query: what a store looks candidates up by. */
export const wordsOfQuery = (query: string): ReadonlyArray<string> =>
  searchNorm(query)
    .split(" ")
    .filter((word) => word !== "")

/** The different words of a text, normalised. */
export const wordsIn = (text: string): ReadonlySet<string> => new Set(searchNorm(text).split(" "))

/** Whether words of a text are all those of a query, the last one as a beginning. */
export const holdsWords = (found: ReadonlySet<string>, wanted: ReadonlyArray<string>): boolean => {
  const beginning = wanted.at(-1)
  if (beginning === undefined || !wanted.slice(0, -1).every((word) => found.has(word))) return false
  for (const word of found) if (word.startsWith(beginning)) return true
  return false
}

interface Place {
  readonly limit: number
  readonly offset: number
}

type Asked = Pick<SearchQuery, "q" | "speaker" | "context" | "from" | "to"> | SearchAllQuery

/** The labels of the speakers who are meant: by a label or by a name. */
const labelsMeant = (names: SpeakerNames, asked: string): ReadonlyArray<string> => [
  asked,
  ...Object.keys(names).filter((label) => names[label] === asked),
]

/** The page of hits of one transcript, with how many there are in all. Speakers are shown by name. */
const hitsIn = ({ job, content }: Searched, asked: Asked, { limit, offset }: Place) => {
  const { id, title, speakerNames } = job
  const { hits, total } = prepareSearch(content.segments).search({
    query: asked.q,
    speaker: asked.speaker === undefined ? undefined : labelsMeant(speakerNames, asked.speaker),
    from: "from" in asked ? asked.from : undefined,
    to: "to" in asked ? asked.to : undefined,
    context: asked.context,
    limit,
    offset,
  })
  const named = <Line extends { readonly speaker: string | null }>(line: Line): Line => ({
    ...line,
    speaker: line.speaker === null ? null : speakerName(speakerNames, line.speaker),
  })
  const shown = hits.map(
    ({ segment: _, before, after, ...hit }): SearchHit => ({
      id,
      title,
      ...named(hit),
      before: before.map(named),
      after: after.map(named),
    }),
  )
  return { total, shown }
}

/** One page of hits over transcripts, in their order. `cursorAt` makes the cursor of the next page. */
export const searchIn = (
  candidates: ReadonlyArray<Searched>,
  asked: Asked,
  { limit, offset }: Place,
  cursorAt: (offset: number) => string,
): SearchAnswer => {
  const data: Array<SearchHit> = []
  let total = 0
  for (const candidate of candidates) {
    const page = hitsIn(candidate, asked, {
      limit: limit - data.length,
      offset: Math.max(0, offset - total),
    })
    data.push(...page.shown)
    total += page.total
  }
  const next = offset + data.length
  const hasMore = next < total
  return { query: asked.q, total, data, hasMore, nextCursor: hasMore ? cursorAt(next) : null }
}

/** Where a page of a search over many transcripts begins. */
export interface SearchPlace extends Position {
  /** How many hits of this transcript were shown before. */
  readonly shown: number
  /** How many hits there are in those before it. */
  readonly before: number
}

export const placeOf = (cursor: CursorPosition | null): SearchPlace | null => {
  const [createdAt, id, shown, before] = cursor ?? []
  return typeof createdAt === "number" &&
    typeof id === "string" &&
    typeof shown === "number" &&
    typeof before === "number"
    ? { createdAt, id, shown, before }
    : null
}

/** So many transcripts are looked at to count their hits, and so many at most to fill a page. */
const COUNTED = 200
const MOST_LOOKED_AT = 1000

/** Gathers one page of hits from transcripts that are given one after the other. */
export const gatherHits = (asked: SearchAllQuery, begin: SearchPlace | null) => {
  const { limit } = asked
  const data: Array<SearchHit> = []
  let total = begin?.before ?? 0
  let looked = 0
  let hasMore = false
  /** Behind the last hit that is shown, and behind everything that was looked at. */
  let shownTo: SearchPlace | null = null
  let lookedTo: SearchPlace | null = null

  const add = (candidate: Searched): void => {
    const { id, createdAt } = candidate.job
    // Each chunk begins with the last transcript of the one before.
    if (lookedTo?.id === id) return
    const offset = begin?.id === id ? begin.shown : 0
    const page = hitsIn(candidate, asked, { limit: limit - data.length, offset })
    const end = offset + page.shown.length
    data.push(...page.shown)
    if (page.shown.length > 0) shownTo = { createdAt, id, shown: end, before: total }
    hasMore ||= end < page.total
    lookedTo = { createdAt, id, shown: page.total, before: total }
    total += page.total
    looked += 1
  }

  return {
    add,
    /** One that is not to be shown. */
    skip: ({ createdAt, id }: Position): void => {
      lookedTo = { createdAt, id, shown: 0, before: total }
      looked += 1
    },
    /** Where the next chunk begins. */
    next: (): Position | undefined => lookedTo ?? begin ?? undefined,
    isEnough: (): boolean => looked >= MOST_LOOKED_AT || (looked >= COUNTED && hasMore),
    answer: (isEnd: boolean, cursorAt: (place: SearchPlace) => string): SearchAnswer => {
      const next = hasMore ? shownTo : isEnd ? null : lookedTo
      return {
        query: asked.q,
        total,
        data,
        hasMore: next !== null,
        nextCursor: next === null ? null : cursorAt(next),
      }
    },
  }
}
