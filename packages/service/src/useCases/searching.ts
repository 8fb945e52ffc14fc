import type { SearchAllQuery, SearchAnswer, SearchHit, SearchQuery } from "@earmark/core/jobs"
import { prepareSearch, searchNorm } from "@earmark/core/text"
import type { SearchCandidate } from "../ports/JobStore.js"
import { transcriptOf } from "./showJob.js"

/** Normalised words of a query: what a store looks candidates up by. */
export const wordsOfQuery = (query: string): ReadonlyArray<string> =>
  searchNorm(query)
    .split(" ")
    .filter((word) => word !== "")

interface Place {
  readonly limit: number
  readonly offset: number
}

type Asked = Pick<SearchQuery, "q" | "speaker" | "context" | "from" | "to"> | SearchAllQuery

/** The page of hits of one transcript, with how many there are in all. */
const hitsIn = ({ job, content }: SearchCandidate, asked: Asked, { limit, offset }: Place) => {
  const { hits, total } = prepareSearch(transcriptOf(job, content).segments).search({
    query: asked.q,
    speaker: asked.speaker,
    from: "from" in asked ? asked.from : undefined,
    to: "to" in asked ? asked.to : undefined,
    context: asked.context,
    limit,
    offset,
  })
  const shown = hits.map(({ segment: _, ...hit }): SearchHit => ({ id: job.id, title: job.title, ...hit }))
  return { total, shown }
}

/** One page of hits over transcripts, in their order. `cursorAt` makes the cursor of the next page. */
export const searchIn = (
  candidates: ReadonlyArray<SearchCandidate>,
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
