import type { AccountId, JobId } from "@earmark/core/jobs"
import { type IndexedWords, indexedWords, mayHold } from "@earmark/core/text"
import type { FoundJob, SearchCandidate, SearchFilter } from "../ports/JobStore.js"
import type { Content, StoredJob } from "../ports/records.js"
import type { Transaction } from "./MemoryDatabase.js"
import { isNewer, pageOf } from "./pages.js"

const known = new WeakMap<Content, IndexedWords>()

/** The words of a content that an index would keep. */
const indexedIn = (content: Content): IndexedWords => {
  const words = known.get(content) ?? indexedWords(content.segments)
  known.set(content, words)
  return words
}

/** The words that a search finds a job by; undefined when it has no content. */
export const wordsOfJob = (db: Transaction, id: StoredJob["id"]): IndexedWords | undefined => {
  const content = db.contents.get(id)
  return content && (db.editedWords.get(id) ?? indexedIn(content))
}

const isIn = (job: StoredJob, { feed, createdAfter, createdBefore }: SearchFilter): boolean =>
  (feed === undefined || job.source.shown.feedUrl === feed) &&
  (createdAfter === undefined || job.createdAt > createdAfter) &&
  (createdBefore === undefined || job.createdAt < createdBefore)

export const searchJobs = (
  db: Transaction,
  account: AccountId,
  filter: SearchFilter,
): ReadonlyArray<FoundJob> => {
  const jobs = db.jobs.filter((job) => {
    if (job.account !== account || !isIn(job, filter)) return false
    const words = wordsOfJob(db, job.id)
    return words !== undefined && mayHold(words, filter.words)
  })
  const { from, limit } = filter
  const behind = from === undefined ? jobs : jobs.filter((job) => !isNewer(job, from))
  return pageOf(behind, { limit, after: null }).items.map(({ id, createdAt }) => ({ id, createdAt }))
}

export const candidateJobs = (
  db: Transaction,
  account: AccountId,
  ids: ReadonlyArray<JobId>,
): ReadonlyArray<SearchCandidate> =>
  ids.flatMap((id) => {
    const job = db.jobs.get(id)
    const content = db.contents.get(id)
    return job?.account !== account || content === undefined ? [] : [{ job, isWithoutTimes: false, content }]
  })
