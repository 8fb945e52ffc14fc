import type { AccountId } from "@earmark/core/jobs"
import { momentIn, wantedWords, wordsWithNear } from "@earmark/core/text"
import type { SearchAllQuery, SearchAnswer, SearchQuery } from "@earmark/core/wire"
import { Clock, Effect } from "effect"
import { type FoundJob, JobStore, type SearchCandidate } from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import { makeCursors } from "./Cursors.js"
import { isOver, makeFinding, millisOf } from "./finding.js"
import { foundNothing, gatherHits, placeOf, positionOf, type SearchPlace, searchIn } from "./hits.js"

/** How many transcripts a search finds at a time, and reads at most: few more than those whose hits are counted. */
const FOUND_AT_ONCE = 24
/** Where few of those that were found had hits, more are found at a time: so many times more than these let expect. */
const SPARE = 1.5
const MOST_AT_ONCE = 96
const READS_AT_ONCE = 4

/** Search in one transcript, and over all of an account. */
export const makeSearches = Effect.gen(function* () {
  const jobs = yield* JobStore
  const cursors = yield* makeCursors
  const { find, heardContent, keptContent, contentOf } = yield* makeFinding

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

  /** The moments of the hits by the times of their words, where the store left these out of its candidates. */
  const withMoments = Effect.fnUntraced(function* (
    answer: SearchAnswer,
    withoutTimes: ReadonlyMap<string, StoredJob>,
  ) {
    const ids = [...new Set(answer.data.map(({ id }) => id))]
    const contents = new Map(
      yield* Effect.forEach(
        ids.flatMap((id) => withoutTimes.get(id) ?? []),
        (job) =>
          heardContent(job).pipe(
            // It can be gone since.
            Effect.catchTag("JobNotFound", "JobExpired", () => Effect.succeed(null)),
            Effect.map((content) => [job.id as string, content] as const),
          ),
        { concurrency: READS_AT_ONCE },
      ),
    )
    const data = answer.data.map((hit) => {
      const lines = contents.get(hit.id)?.segments ?? []
      const line = lines.find(({ start, text }) => start === hit.start && text === hit.text)
      return line === undefined ? hit : { ...hit, at: momentIn(line, hit.highlights[0]?.[0] ?? 0) }
    })
    return { ...answer, data }
  })

  /** A candidate with its newest lines; null when it is gone since. */
  const asItIsNow = ({ job, content }: SearchCandidate) =>
    job.revision === 0
      ? Effect.succeed({ job, content })
      : keptContent(job).pipe(
          Effect.map((newest) => ({ job, content: newest })),
          Effect.catchTag("JobNotFound", "JobExpired", () => Effect.succeed(null)),
        )

  /** Whether a word that may be written otherwise is in no transcript of the account. */
  const isAnyMissing = (account: AccountId, query: string) =>
    Effect.exists(wordsWithNear(query), (words) =>
      Effect.map(jobs.search(account, { words, limit: 1 }), (found) => found.length === 0),
    )

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
    }
    const now = yield* Clock.currentTimeMillis
    const withoutTimes = new Map<string, StoredJob>()
    const gather = Effect.fnUntraced(function* (from: SearchPlace | null, near: boolean) {
      const hits = gatherHits(query, from, near)
      const words = wantedWords(query.q, { near })
      const read = Effect.fnUntraced(function* (places: ReadonlyArray<FoundJob>) {
        const ids = places.map(({ id }) => id)
        const candidates = new Map(
          (yield* jobs.candidates(account, ids)).map((candidate) => [candidate.job.id, candidate]),
        )
        for (const place of places) {
          const candidate = candidates.get(place.id)
          const isThere = candidate !== undefined && !isOver(candidate.job, now)
          const newest = isThere ? yield* asItIsNow(candidate) : null
          if (newest === null) hits.skip(place)
          else {
            hits.add(newest)
            if (candidate?.isWithoutTimes && newest.job.revision === 0)
              withoutTimes.set(newest.job.id, newest.job)
          }
        }
      })
      let left: ReadonlyArray<FoundJob> = []
      let areAllFound = words.length === 0
      let isAnyFound = false
      while (!(areAllFound && left.length === 0) && !hits.isEnough(left.length)) {
        if (left.length === 0) {
          const needed = Math.ceil(hits.likelyNeeded(Number.POSITIVE_INFINITY) * SPARE)
          const limit = Math.min(Math.max(needed, FOUND_AT_ONCE), MOST_AT_ONCE)
          const found = yield* jobs.search(account, { ...filter, words, limit, from: hits.next() })
          areAllFound = found.length < limit
          isAnyFound ||= found.length > 0
          left = found.filter(({ id }) => !hits.hasLooked(id))
        } else {
          const count = Math.min(hits.likelyNeeded(left.length), FOUND_AT_ONCE)
          yield* read(left.slice(0, count))
          left = left.slice(count)
        }
      }
      const isEnd = areAllFound && left.length === 0
      return { answer: hits.answer(isEnd, (place) => pages.at(positionOf(place))), isAnyFound, words }
    })
    const near = begin?.near ?? false
    const { answer, isAnyFound, words } = yield* gather(begin, near)
    const isOverAll = begin === null && Object.values(filter).every((value) => value === undefined)
    // Of one word that nothing was found for over all transcripts, the store need not be asked again.
    const isMissing =
      isOverAll && words.length === 1 && !isAnyFound
        ? Effect.succeed(wordsWithNear(query.q).length > 0)
        : isAnyMissing(account, query.q)
    const isNearWanted = !near && foundNothing(answer) && (yield* isMissing)
    return yield* withMoments(isNearWanted ? (yield* gather(null, true)).answer : answer, withoutTimes)
  })

  return { search, searchAll }
})
