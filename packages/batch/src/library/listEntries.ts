import type { CursorPosition } from "@earmark/core/requests"
import type { JobCounts, ListQuery } from "@earmark/core/wire"
import type { Explain } from "../Problem.js"
import { type Entry, readHead } from "./entries.js"
import type { Head } from "./Head.js"
import type { LibraryQuery } from "./Library.js"
import { jobOf } from "./underWay.js"

interface Filters extends Pick<ListQuery, "feed" | "q" | "language"> {
  readonly status?: LibraryQuery["status"]
}

interface Asked extends Filters {
  readonly limit: number
  readonly after: CursorPosition | null
}

/** What the name alone tells; whether something that was begun is still under way tells its head. */
const mayFit = (entry: Entry, { status }: Filters): boolean => {
  const isOver = status === "failed" || status === "canceled"
  return status === undefined || entry.status === status || (isOver && entry.status !== "done")
}

const isIn = (job: Head["job"], status: Filters["status"]): boolean =>
  status === "canceled" ? job.failure?.code === "canceled" : status === undefined || job.status === status

const fits = (job: Head["job"], { status, feed, q, language }: Filters): boolean =>
  isIn(job, status) &&
  (language === undefined || job.language === language) &&
  (feed === undefined || job.source.feed_url === feed) &&
  (q === undefined || job.title?.toLowerCase().includes(q.toLowerCase()) === true)

const isBehind = ({ createdAt, id }: Entry, [time, last]: CursorPosition): boolean =>
  createdAt < Number(time) || (createdAt === Number(time) && id < String(last))

/** A page of jobs, newest first. Only heads that may belong to it are read. */
export const listEntries = (
  entries: ReadonlyArray<Entry>,
  { limit, after, ...filters }: Asked,
  explain: Explain,
) => {
  const jobs: Array<Head["job"]> = []
  const unreadable: Array<Entry> = []
  let last: Entry | null = null
  let next: CursorPosition | null = null
  for (const entry of entries) {
    if ((after !== null && !isBehind(entry, after)) || !mayFit(entry, filters)) continue
    const head = readHead(entry)
    if (head === null) {
      unreadable.push(entry)
      continue
    }
    const job = jobOf(head, explain)
    if (!fits(job, filters)) continue
    if (jobs.length === limit) {
      next = last === null ? null : [last.createdAt, last.id]
      break
    }
    jobs.push(job)
    last = entry
  }
  return { jobs, next, unreadable }
}

/** How many entries stand how. Of what is done the name tells enough. */
export const countEntries = (entries: ReadonlyArray<Entry>, explain: Explain): JobCounts => {
  const counts = { queued: 0, done: 0, failed: 0 }
  for (const entry of entries) {
    const head = entry.status === "done" ? null : readHead(entry)
    if (entry.status === "done") counts.done++
    else if (head !== null) counts[jobOf(head, explain).status]++
  }
  return counts
}
