import {
  Batch,
  BatchCanceled,
  BatchStatus,
  EpisodeList,
  EpisodesQuery,
  TranscribeFeed,
} from "@earmark/core/jobs"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { ApiKeyRequired, ById, guarded, RepeatHeaders } from "./Access.js"
import { BODY_PROBLEMS, problems, REPEAT_PROBLEMS } from "./problems.js"

const FEED_PROBLEMS = [
  "missing_source",
  "unresolvable_link",
  "source_not_supported",
  "feed_invalid",
  "episode_not_found",
  "media_ref_unknown",
  "blocked_address",
] as const

export const episodes = HttpApiEndpoint.get("episodes", "/api/v1/podcasts/episodes")
  .setUrlParams(EpisodesQuery)
  .addSuccess(EpisodeList)
  .addError(problems(...FEED_PROBLEMS))
  .annotateContext(
    guarded("transcriptions:read", "create", {
      summary: "List the episodes of a podcast",
      description:
        "Newest first; undated episodes last. `feed` is an RSS address, an Apple link, or the `media_ref` of an uploaded feed.",
    }),
  )

export const transcribe = HttpApiEndpoint.post("transcribe", "/api/v1/podcasts/transcribe")
  .setHeaders(RepeatHeaders)
  .setPayload(TranscribeFeed)
  .addSuccess(Batch, { status: 202 })
  .addError(
    problems(
      "out_of_credits",
      "feature_locked",
      "too_many_jobs",
      "batch_too_large",
      "language_unsupported",
      ...FEED_PROBLEMS,
      ...BODY_PROBLEMS,
      ...REPEAT_PROBLEMS,
    ),
  )
  .annotateContext(
    guarded("transcriptions:write", "create", {
      summary: "Transcribe a whole feed",
      description:
        "One job for each episode, all made in one step; what cannot become a job is listed in `skipped`. More than one episode is unlocked by any purchase.",
    }),
  )

export const batch = HttpApiEndpoint.get("batch", "/api/v1/batches/:id")
  .setPath(ById)
  .addSuccess(BatchStatus)
  .addError(problems("not_found"))
  .annotateContext(guarded("transcriptions:read", "read", { summary: "Get the state of a batch" }))

export const cancelBatch = HttpApiEndpoint.post("cancelBatch", "/api/v1/batches/:id/cancel")
  .setPath(ById)
  .addSuccess(BatchCanceled)
  .addError(problems("not_found"))
  .annotateContext(
    guarded("transcriptions:write", "read", {
      summary: "Cancel what is left of a batch",
      description: "Jobs that have ended stay as they are.",
    }),
  )

/** Feeds, their episodes, and whole feeds as batches of jobs. */
export const podcasts = HttpApiGroup.make("podcasts")
  .add(episodes)
  .add(transcribe)
  .add(batch)
  .add(cancelBatch)
  .middleware(ApiKeyRequired)
  .annotateContext(OpenApi.annotations({ description: "Feeds, and batches of their episodes." }))
