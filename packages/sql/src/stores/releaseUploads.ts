import { objectsOf, type StoredJob } from "@earmark/service"
import { Effect } from "effect"
import type { Run } from "../database/Database.js"

const RELEASE = `UPDATE upload u SET state = 'stored', expires_at = least(expires_at, earmark_now())
WHERE media_ref = ANY ($1) AND NOT EXISTS (
  SELECT 1 FROM job j WHERE j.source #>> '{shown,mediaRef}' = u.media_ref AND j.account_id = u.account_id AND NOT j.expired
) RETURNING media_ref`

/** Leaves the uploads of jobs that are gone or expired, and what was kept of their sound, to the next sweep, where no other job may need them; answers which. */
export const releaseUploads = (run: Run, jobs: ReadonlyArray<Pick<StoredJob, "account" | "id" | "source">>) =>
  Effect.gen(function* () {
    const references = jobs.flatMap(objectsOf)
    // Its own statement: whoever comes second must see that the job of the first is gone.
    yield* run("SELECT 1 FROM upload WHERE media_ref = ANY ($1) ORDER BY media_ref FOR UPDATE", [references])
    const released = yield* run<{ readonly media_ref: string }>(RELEASE, [references])
    return released.map((row) => row.media_ref)
  })
