import type { AccountId, JobStatus } from "@earmark/core/jobs"
import { type JobCounts, MOST_COUNTED } from "@earmark/core/wire"
import type { ChangedJobs, JobFilter, JobStep, Page } from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import type { Transaction } from "./MemoryDatabase.js"
import { pageOf } from "./pages.js"

type Rule = (job: StoredJob) => boolean

const isText = (value: unknown, text: string): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value) === text
    : false

const rulesOf = (filter: JobFilter): ReadonlyArray<Rule> => {
  const { status, phase, language, batch, feed, createdAfter, createdBefore, q, metadata } = filter
  const rules: Array<Rule> = []
  if (status !== undefined) rules.push(({ state }) => state.status === status)
  if (phase !== undefined) rules.push(({ state }) => state.status === "queued" && state.phase === phase)
  if (language !== undefined) rules.push((job) => job.language === language)
  if (batch !== undefined) rules.push((job) => job.batch === batch)
  if (feed !== undefined) rules.push(({ source }) => source.shown.feedUrl === feed)
  if (createdAfter !== undefined) rules.push((job) => job.createdAt > createdAfter)
  if (createdBefore !== undefined) rules.push((job) => job.createdAt < createdBefore)
  if (q !== undefined) {
    const wanted = q.toLowerCase()
    rules.push(({ title }) => title?.toLowerCase().includes(wanted) === true)
  }
  for (const [name, value] of Object.entries(metadata ?? {})) {
    rules.push(({ metadata: own }) => own !== null && Object.hasOwn(own, name) && isText(own[name], value))
  }
  return rules
}

export const listJobs = (db: Transaction, account: AccountId, filter: JobFilter): Page<StoredJob> => {
  const rules = rulesOf(filter)
  const found = db.jobs.filter((job) => job.account === account && rules.every((fits) => fits(job)))
  return pageOf(found, filter)
}

export const countJobs = (db: Transaction, account: AccountId): JobCounts => {
  const own = db.jobs.filter((job) => job.account === account)
  const count = (status: JobStatus) =>
    Math.min(own.filter(({ state }) => state.status === status).length, MOST_COUNTED)
  return { queued: count("queued"), done: count("done"), failed: count("failed") }
}

const startOf = ({ state }: StoredJob): number => state.startedAt ?? Number.NEGATIVE_INFINITY

const stepOf = ({ id, state, version }: StoredJob): JobStep => ({
  id,
  status: state.status,
  phase: state.status === "queued" ? state.phase : null,
  progress: state.progress,
  version,
})

export const changedJobs = (
  db: Transaction,
  account: AccountId,
  { since, queued, named, limit }: ChangedJobs,
): { readonly now: number; readonly jobs: ReadonlyArray<JobStep> } => {
  const isMeant = ({ id, state, createdAt }: StoredJob): boolean =>
    (since !== null && createdAt >= since) ||
    named.includes(id) ||
    (state.status === "queued"
      ? queued || state.startedAt !== null
      : since !== null && state.completedAt >= since)
  const found = db.jobs
    .filter((job) => job.account === account && isMeant(job))
    .sort((left, right) => startOf(right) - startOf(left) || (left.id < right.id ? -1 : 1))
  return { now: db.now, jobs: found.slice(0, limit).map(stepOf) }
}
