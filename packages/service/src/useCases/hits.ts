import { type Source, sourceLabel } from "@earmark/core/jobs"
import type { CursorPosition } from "@earmark/core/requests"
import { prepareSearch } from "@earmark/core/text"
import { type SpeakerNames, speakerName } from "@earmark/core/transcripts"
import type { SearchAllQuery, SearchAnswer, SearchHit, SearchQuery } from "@earmark/core/wire"
import type { Position } from "../ports/JobStore.js"
import type { Content, StoredJob } from "../ports/records.js"

/** A transcript as a search needs it: its words and their times may be left out. */
export interface Searched {
  readonly job: Pick<StoredJob, "id" | "title" | "createdAt" | "speakerNames"> & {
    /** `label` is what the source is called where that is no part of it, such as the path of a file. */
    readonly source: { readonly shown: Source; readonly label?: string | undefined }
  }
  readonly content: Pick<Content, "language" | "segments">
}

interface Place {
  readonly limit: number
  readonly offset: number
}

type Asked = (Pick<SearchQuery, "q" | "speaker" | "context" | "from" | "to"> | SearchAllQuery) & {
  readonly near?: boolean
}

/** The labels of the speakers who are meant: by a label or by a name. */
const labelsMeant = (names: SpeakerNames, asked: string): ReadonlyArray<string> => [
  asked,
  ...Object.keys(names).filter((label) => names[label] === asked),
]

/** The page of hits of one transcript, with how many there are in all. Speakers are shown by name. */
const hitsIn = ({ job, content }: Searched, asked: Asked, { limit, offset }: Place) => {
  const { id, title, source, speakerNames } = job
  const { hits, total } = prepareSearch(content.segments).search({
    query: asked.q,
    speaker: asked.speaker === undefined ? undefined : labelsMeant(speakerNames, asked.speaker),
    from: "from" in asked ? asked.from : undefined,
    to: "to" in asked ? asked.to : undefined,
    context: asked.context,
    near: asked.near,
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
      source: source.shown,
      sourceLabel: source.label ?? sourceLabel(source.shown),
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
  return {
    query: asked.q,
    total,
    totalIsExact: true,
    data,
    hasMore,
    nextCursor: hasMore ? cursorAt(next) : null,
  }
}

/** Where a page of a search over many transcripts begins. */
export interface SearchPlace extends Position {
  /** How many hits of this transcript were shown before. */
  readonly shown: number
  /** How many hits there are in those before it. */
  readonly before: number
  /** Whether its words may be written otherwise by one letter. */
  readonly near: boolean
}

export const placeOf = (cursor: CursorPosition | null): SearchPlace | null => {
  const [createdAt, id, shown, before, near] = cursor ?? []
  return typeof createdAt === "number" &&
    typeof id === "string" &&
    typeof shown === "number" &&
    typeof before === "number"
    ? { createdAt, id, shown, before, near: near === 1 }
    : null
}

/** What a cursor keeps of a place. */
export const positionOf = ({ createdAt, id, shown, before, near }: SearchPlace): CursorPosition => [
  createdAt,
  id,
  shown,
  before,
  near ? 1 : 0,
]

/** The hits of so many transcripts are counted when there are no more, and so many are looked at to fill a page. */
const COUNTED = 20
const MOST_LOOKED_AT = 1000
/** Most searches for a frequent word need no more. */
const LOOKED_AT_FIRST = 2

/**
 * Gathers one page of hits from transcripts that are given one after the other. With `near`, words may be written otherwise
 * by one letter: asked for when the whole search found nothing as it was written.
 */
export const gatherHits = (query: SearchAllQuery, begin: SearchPlace | null, near: boolean) => {
  const asked = { ...query, near }
  const { limit } = query
  const data: Array<SearchHit> = []
  let total = begin?.before ?? 0
  let looked = 0
  let hasMore = false
  /** Behind the last hit that is shown, and behind everything that was looked at. */
  let shownTo: SearchPlace | null = null
  let lookedTo: SearchPlace | null = null

  const add = (candidate: Searched): void => {
    const { id, createdAt } = candidate.job
    const offset = begin?.id === id ? begin.shown : 0
    const page = hitsIn(candidate, asked, { limit: limit - data.length, offset })
    const end = offset + page.shown.length
    data.push(...page.shown)
    if (page.shown.length > 0) shownTo = { createdAt, id, shown: end, before: total, near }
    hasMore ||= end < page.total
    lookedTo = { createdAt, id, shown: page.total, before: total, near }
    total += page.total
    looked += 1
  }

  return {
    add,
    /** One that is not to be shown. */
    skip: ({ createdAt, id }: Position): void => {
      lookedTo = { createdAt, id, shown: 0, before: total, near }
      looked += 1
    },
    /** Where the next chunk begins. */
    next: (): Position | undefined => lookedTo ?? begin ?? undefined,
    /** Chunks may begin with the last transcript of the one before. */
    hasLooked: (id: string): boolean => lookedTo?.id === id,
    /** Of so many that are known to follow: how many to look at next, by the hits that there were before. */
    likelyNeeded: (known: number): number => {
      if (looked + known <= COUNTED) return known
      if (looked === 0) return LOOKED_AT_FIRST
      return Math.ceil(((limit + 1 - data.length) * looked) / Math.max(1, data.length))
    },
    /** Whether the page is full and there are more hits. When few transcripts are known to follow, theirs are counted as well. */
    isEnough: (known: number): boolean => looked >= MOST_LOOKED_AT || (hasMore && looked + known > COUNTED),
    answer: (isEnd: boolean, cursorAt: (place: SearchPlace) => string): SearchAnswer => {
      const next = hasMore ? shownTo : isEnd ? null : lookedTo
      return {
        query: asked.q,
        total,
        totalIsExact: isEnd,
        data,
        hasMore: next !== null,
        nextCursor: next === null ? null : cursorAt(next),
      }
    },
  }
}

/** Whether a whole search has no hits, so that it is done again with words that are nearly the same. */
export const foundNothing = ({ total, hasMore }: SearchAnswer): boolean => total === 0 && !hasMore
