import { creditsWaitIsOver } from "@earmark/core/jobs"
import { Either } from "effect"
import type { StoredJob } from "../ports/records.js"
import { forgetGuards } from "./guards.js"
import { failJob, forgetEdits, moveSafely } from "./jobs.js"
import type { Transaction } from "./MemoryDatabase.js"
import { releaseUpload } from "./releaseUpload.js"

const isPastRetention = ({ state, expiresAt }: StoredJob, now: number): boolean =>
  expiresAt !== null && expiresAt <= now && !(state.status !== "queued" && state.expired)

/** A text that a request brought goes with the content. */
const withoutText = ({ options: { transcriptText: _, ...options }, ...job }: StoredJob): StoredJob => ({
  ...job,
  options,
})

const expire = (db: Transaction, kept: StoredJob): void => {
  const job = withoutText(kept)
  if (job.state.status === "queued") Either.getOrThrow(failJob(db, job, "expired"))
  else moveSafely(db, job, { type: "expired", at: db.now })
  db.contents.delete(job.id)
  forgetEdits(db, job.id)
  releaseUpload(db, job)
}

/** Ends what is past its time; answers how many jobs that were. */
export const sweepJobs = (db: Transaction, limit: number): number => {
  forgetGuards(db)
  const due = db.jobs
    .filter((job) => isPastRetention(job, db.now) || creditsWaitIsOver(job.state, db.now))
    .slice(0, limit)
  for (const job of due) {
    if (isPastRetention(job, db.now)) expire(db, job)
    else Either.getOrThrow(failJob(db, job, "insufficient_credits"))
  }
  return due.length
}
