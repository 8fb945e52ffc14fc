import type { Finding } from "@earmark/engines"
import { failureOf, ObjectStoreS3 } from "@earmark/media"
import { type Fetcher, FetchFailed, TimeLimit } from "@earmark/service"
import { Effect } from "effect"
import { checkDataFolder } from "../parts/dataFolder.js"
import { bucketAt } from "../parts/objects.js"
import type { Settings } from "../settings/Settings.js"

const name = "uploads"
const PATIENCE = "5 seconds"

const missing = (detail: string, fix: string): Finding => ({ name, status: "missing", detail, fix })

/** What the answer of the server says of the bucket and of the key. */
const answered = (status: number, host: string, bucket: string): Finding => {
  if (status === 404)
    return missing(`${host} has no bucket ${bucket}`, "create the bucket, or check EARMARK_S3_BUCKET")
  if (status === 400 || status === 401 || status === 403)
    return missing(
      `${host} refuses the key (${status})`,
      "check EARMARK_S3_KEY, EARMARK_S3_SECRET and EARMARK_S3_REGION; a key that may not list the bucket fails this check alone",
    )
  return status < 300
    ? { name, status: "ok", detail: `the bucket ${bucket} at ${host}`, fix: null }
    : missing(`${host} answered ${status}`, "check EARMARK_S3_URL and EARMARK_S3_REGION")
}

/** Uploads in the data folder of a server whose database is elsewhere; with the database in the same folder, the store says it. */
const inFolder = ({ databaseUrl, dataDir }: Settings): Effect.Effect<ReadonlyArray<Finding>> =>
  databaseUrl === null
    ? Effect.succeed([])
    : Effect.match(checkDataFolder(dataDir), {
        onFailure: ({ message }) => [missing(message, "what the line above says")],
        onSuccess: () => [],
      })

/** Asks the bucket that the settings name whether the key opens it; without a bucket, looks at the data folder. */
export const examineUploads = (settings: Settings): Effect.Effect<ReadonlyArray<Finding>, never, Fetcher> => {
  const { s3Url: url, s3Bucket: bucket } = settings
  if (url === null) return inFolder(settings)
  const { host } = new URL(url)
  return ObjectStoreS3.bucketStatus(bucketAt(settings, url)).pipe(
    Effect.mapError(({ cause }) => (cause instanceof FetchFailed ? cause : failureOf(cause, host))),
    TimeLimit.fail({ duration: PATIENCE, onTimeout: () => failureOf({ code: "ETIMEDOUT" }, host) }),
    Effect.match({
      onFailure: ({ detail }) => missing(detail, "check EARMARK_S3_URL"),
      onSuccess: (status) => answered(status, host, bucket),
    }),
    Effect.map((finding) => [finding]),
  )
}
