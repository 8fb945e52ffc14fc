import type { AccountId } from "@earmark/core/jobs"
import { searchNorm } from "@earmark/core/text"
import type { SearchCandidate, SearchFilter } from "../ports/JobStore.js"
import type { Content, StoredJob } from "../ports/records.js"
import type { Transaction } from "./MemoryDatabase.js"
import { isNewer, pageOf } from "./pages.js"

const words = new WeakMap<Content, ReadonlySet<string>>()

const wordsIn = (content: Content): ReadonlySet<string> => {
  const known = words.get(content)
  if (known !== undefined) return known
  const found = new Set(searchNorm(content.text).split(" "))
  words.set(content, found)
  return found
}

const holds = (content: Content, wanted: ReadonlyArray<string>): boolean => {
  const found = wordsIn(content)
  const beginning = wanted.at(-1)
  if (beginning === undefined || !wanted.slice(0, -1).every((word) => found.has(word))) return false
  for (const word of found) if (word.startsWith(beginning)) return true
  return false
}

const isIn = (job: StoredJob, { feed, createdAfter, createdBefore }: SearchFilter): boolean =>
  (feed === undefined || job.source.shown.feedUrl === feed) &&
  (createdAfter === undefined || job.createdAt > createdAfter) &&
  (createdBefore === undefined || job.createdAt < createdBefore)

export const searchJobs = (
  db: Transaction,
  account: AccountId,
  filter: SearchFilter,
): ReadonlyArray<SearchCandidate> => {
  const jobs = db.jobs.filter((job) => {
    if (job.account !== account || !isIn(job, filter)) return false
    const content = db.contents.get(job.id)
    return content !== undefined && holds(content, filter.words)
  })
  const { from, limit } = filter
  const behind = from === undefined ? jobs : jobs.filter((job) => !isNewer(job, from))
  return pageOf(behind, { limit, after: null }).items.flatMap((job) => {
    const content = db.contents.get(job.id)
    return content === undefined ? [] : [{ job, content }]
  })
}
