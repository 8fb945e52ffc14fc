/** The list of transcripts as its pages come and change. No document is touched here. */
import type { TranscriptionSummary } from "@earmark/api/client"

type Job = TranscriptionSummary
export type Jobs = ReadonlyArray<Job>

/** Where a job stands in the order of the API, which has the newest first. */
export type Place = Pick<Job, "created_at" | "id">

const isNewer = (one: Place, other: Place): boolean =>
  one.created_at === other.created_at ? one.id > other.id : one.created_at > other.created_at

const isSame = (one: Job | undefined, other: Job): one is Job =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other)

/**
 * What is known once a page was read: what it has no more is gone, and what is older than its last stays.
 * `after`: the last job before the page; null where it is the first page. Jobs that did not change are the same objects.
 */
export const withPage = (
  known: Jobs,
  { data, has_more }: { readonly data: Jobs; readonly has_more: boolean },
  after: Place | null,
): Jobs => {
  const last = data.at(-1)
  const before = new Map(known.map((job) => [job.id, job]))
  return [
    ...known.filter((job) => after !== null && !isNewer(after, job)),
    ...data.map((job) => {
      const old = before.get(job.id)
      return isSame(old, job) ? old : job
    }),
    ...known.filter((job) => last !== undefined && has_more && isNewer(last, job)),
  ]
}

/** What runs stands first. */
export const runningFirst = (jobs: Jobs): Jobs => [
  ...jobs.filter(({ status }) => status === "queued"),
  ...jobs.filter(({ status }) => status !== "queued"),
]

/** The list while somebody points at it: every job keeps its place, and older ones follow. Newer ones wait. */
export const heldOrder = (shown: Jobs, jobs: Jobs): { readonly shown: Jobs; readonly waiting: number } => {
  const now = new Map(jobs.map((job) => [job.id, job]))
  const kept = shown.flatMap(({ id }) => now.get(id) ?? [])
  for (const { id } of kept) now.delete(id)
  const newest = shown.reduce<Job | null>(
    (best, job) => (best === null || isNewer(job, best) ? job : best),
    null,
  )
  const older = [...now.values()].filter((job) => newest === null || isNewer(newest, job))
  return { shown: [...kept, ...older], waiting: now.size - older.length }
}

/** Rows that the browser lays out together, on average and at most. */
const USUAL = 50
const MOST = 150

const beginsSection = ({ id }: Pick<Job, "id">): boolean => {
  let hash = 0
  for (let at = 0; at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) % 65_521
  return hash % USUAL === 0
}

export interface JobSection {
  /** The same as long as the section begins with the same job. */
  readonly key: string
  readonly jobs: Jobs
}

/**
 * The list in sections. Which job begins one is told by its id, and not by its place: a job that comes or goes changes its own section,
 * and leaves all others what they are.
 */
export const sectionsOf = (jobs: Jobs): ReadonlyArray<JobSection> => {
  const sections: Array<{ key: string; jobs: Array<Job> }> = []
  let last: { key: string; jobs: Array<Job> } | undefined
  for (const job of jobs) {
    if (last === undefined || last.jobs.length >= MOST || beginsSection(job)) {
      last = { key: last === undefined ? "newest" : job.id, jobs: [] }
      sections.push(last)
    }
    last.jobs.push(job)
  }
  return sections
}
