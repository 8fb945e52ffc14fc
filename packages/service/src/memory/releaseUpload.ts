import type { StoredJob } from "../ports/records.js"
import type { Transaction } from "./MemoryDatabase.js"

const isOver = ({ state }: StoredJob): boolean => state.status !== "queued" && state.expired

/** Leaves the upload of a job that is gone or expired to the next sweep, and names it; null when another job may need it. */
export const releaseUpload = (db: Transaction, job: StoredJob): string | null => {
  const { mediaRef } = job.source.shown
  const upload = mediaRef === undefined ? undefined : db.uploads.get(mediaRef)
  if (upload === undefined) return null
  const users = db.jobs.filter(
    (other) =>
      other.id !== job.id &&
      other.account === job.account &&
      other.source.shown.mediaRef === mediaRef &&
      !isOver(other),
  )
  if (users.length > 0) return null
  const expiresAt = Math.min(upload.expiresAt, db.now)
  db.uploads.set(upload.mediaRef, { ...upload, state: "stored", expiresAt })
  return upload.mediaRef
}
