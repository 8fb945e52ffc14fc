import { statfs } from "node:fs/promises"
import { resolve } from "node:path"
import { CREDITS_WAIT_SECONDS } from "@earmark/core/jobs"
import { IDEMPOTENCY_SECONDS } from "@earmark/core/requests"
import { UNUSED_UPLOAD_SECONDS } from "@earmark/core/wire"
import { Effect, Option } from "effect"
import type { Settings } from "./settings/Settings.js"

/** Where data is, how much room there is, and for how long things are kept. */
export const shownStorage = ({ databaseUrl, s3Url, dataDir }: Settings) => {
  const folder = resolve(dataDir)
  return Effect.map(Effect.option(Effect.tryPromise(() => statfs(folder))), (found) => {
    const room = Option.getOrNull(found)
    return {
      database: databaseUrl === null ? "embedded" : "postgres",
      uploads: s3Url === null ? "folder" : "bucket",
      folder,
      free_bytes: room === null ? null : room.bavail * room.bsize,
      total_bytes: room === null ? null : room.blocks * room.bsize,
      kept_seconds: {
        // Until they are deleted, or as long as their request said.
        transcripts: null,
        unused_uploads: UNUSED_UPLOAD_SECONDS,
        waiting_for_credits: CREDITS_WAIT_SECONDS,
        repeated_answers: IDEMPOTENCY_SECONDS,
      },
    }
  })
}
