import { objectsOf } from "../ports/recordings.js"
import type { StoredJob } from "../ports/records.js"
import type { StoredUpload } from "../ports/Uploads.js"
import type { Transaction } from "./MemoryDatabase.js"

const isOver = ({ state }: StoredJob): boolean => state.status !== "queued" && state.expired

/** Whether a job that is not over has the upload as its media. */
const isNeeded = (db: Transaction, { mediaRef, account }: StoredUpload, gone: StoredJob): boolean =>
  db.jobs.filter(
    (other) =>
      other.id !== gone.id &&
      other.account === account &&
      other.source.shown.mediaRef === mediaRef &&
      !isOver(other),
  ).length > 0

/**
 * Leaves the upload of a job that is gone or expired to the next sweep, with what was kept of its sound, and names the upload; null when
 * another job may need it.
 */
export const releaseUpload = (db: Transaction, job: StoredJob): string | null => {
  const released = objectsOf(job)
    .flatMap((key) => db.uploads.get(key) ?? [])
    .filter((upload) => !isNeeded(db, upload, job))
  for (const upload of released) {
    const expiresAt = Math.min(upload.expiresAt, db.now)
    db.uploads.set(upload.mediaRef, { ...upload, state: "stored", expiresAt })
  }
  return released.find(({ mediaRef }) => mediaRef === job.source.shown.mediaRef)?.mediaRef ?? null
}
