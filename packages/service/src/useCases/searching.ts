import type { AccountId } from "@earmark/core/jobs"
import { wantedWords } from "@earmark/core/text"
import type { SearchAllQuery, SearchQuery } from "@earmark/core/wire"
import { Clock, Effect } from "effect"
import { JobStore } from "../ports/JobStore.js"
import { makeCursors } from "./Cursors.js"
import { isOver, makeFinding, millisOf } from "./finding.js"
import { foundNothing, gatherHits, placeOf, positionOf, type SearchPlace, searchIn } from "./hits.js"

/** How many transcripts a search reads at a time. */
const CANDIDATES_AT_ONCE = 100

/** Search in one transcript, and over all of an account. */
export const makeSearches = Effect.gen(function* () {
  const jobs = yield* JobStore
  const cursors = yield* makeCursors
  const { find, contentOf } = yield* makeFinding

  const search = Effect.fn("Transcriptions.search")(function* (
    account: AccountId,
    id: string,
    query: SearchQuery,
  ) {
    const job = yield* find(account, id)
    const content = yield* contentOf(job)
    const { cursor: _, limit, ...filters } = query
    const pages = cursors(account, "search", { ...filters, id: job.id }, "asc")
    const offset = yield* pages.offset(query)
    return searchIn([{ job, content }], query, { limit, offset }, pages.atOffset)
  })

  const searchAll = Effect.fn("Transcriptions.searchAll")(function* (
    account: AccountId,
    query: SearchAllQuery,
  ) {
    const { cursor: _, limit: _limit, ...filters } = query
    const pages = cursors(account, "search", filters)
    const begin = placeOf(yield* pages.open(query))
    const { feed, createdAfter, createdBefore } = query
    const filter = {
      feed,
      createdAfter: millisOf(createdAfter),
      createdBefore: millisOf(createdBefore),
      limit: CANDIDATES_AT_ONCE,
    }
    const now = yield* Clock.currentTimeMillis
    const gather = Effect.fnUntraced(function* (from: SearchPlace | null, near: boolean) {
      const hits = gatherHits(query, from, near)
      const words = wantedWords(query.q, { near })
      let isEnd = words.length === 0
      while (!isEnd && !hits.isEnough()) {
        const candidates = yield* jobs.search(account, { ...filter, words, from: hits.next() })
        for (const candidate of candidates) {
          if (isOver(candidate.job, now)) hits.skip(candidate.job)
          else hits.add(candidate)
        }
        isEnd = candidates.length < CANDIDATES_AT_ONCE
      }
      return hits.answer(isEnd, (place) => pages.at(positionOf(place)))
    })
    const near = begin?.near ?? false
    const answer = yield* gather(begin, near)
    return near || !foundNothing(answer) ? answer : yield* gather(null, true)
  })

  return { search, searchAll }
})
