import type { AccountId } from "@earmark/core/jobs"
import type { SearchAllQuery, SearchQuery } from "@earmark/core/wire"
import { Clock, Effect } from "effect"
import { JobStore } from "../ports/JobStore.js"
import { makeCursors } from "./Cursors.js"
import { isOver, makeFinding, millisOf } from "./finding.js"
import { gatherHits, placeOf, searchIn, wordsOfQuery } from "./hits.js"

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
    const hits = gatherHits(query, placeOf(yield* pages.open(query)))
    const words = wordsOfQuery(query.q)
    const { feed, createdAfter, createdBefore } = query
    const filter = {
      words,
      feed,
      createdAfter: millisOf(createdAfter),
      createdBefore: millisOf(createdBefore),
      limit: CANDIDATES_AT_ONCE,
    }
    const now = yield* Clock.currentTimeMillis
    let isEnd = words.length === 0
    while (!isEnd && !hits.isEnough()) {
      const candidates = yield* jobs.search(account, { ...filter, from: hits.next() })
      for (const candidate of candidates) {
        if (isOver(candidate.job, now)) hits.skip(candidate.job)
        else hits.add(candidate)
      }
      isEnd = candidates.length < CANDIDATES_AT_ONCE
    }
    return hits.answer(isEnd, ({ createdAt, id, shown, before }) => pages.at([createdAt, id, shown, before]))
  })

  return { search, searchAll }
})
