import {
  Batch,
  BatchCanceled,
  BatchRetried,
  BatchStatus,
  EpisodeList,
  EpisodesQuery,
  PageQuery,
  TranscribeFeed,
} from "../wire/index.js"
import { BatchPage } from "./answers.js"
import { operation } from "./Operation.js"
import { BODY_PROBLEMS, FEED_PROBLEMS, REPEAT_PROBLEMS } from "./refusals.js"

export const podcasts = {
  "podcasts.episodes": operation({
    method: "GET",
    path: "/api/v1/podcasts/episodes",
    scope: "transcriptions:read",
    rate: "create",
    summary: "List the episodes of a podcast",
    description:
      "Newest first; undated episodes last. `feed` is an RSS address, an Apple link, or the `media_ref` of an uploaded feed.",
    query: EpisodesQuery,
    isCompressed: true,
    answers: { 200: EpisodeList },
    problems: [...FEED_PROBLEMS],
  }),

  "podcasts.transcribe": operation({
    method: "POST",
    path: "/api/v1/podcasts/transcribe",
    scope: "transcriptions:write",
    rate: "create",
    summary: "Transcribe a whole feed",
    description:
      "One job for each episode, all made in one step; what cannot become a job is listed in `skipped`. More than one episode is unlocked by any purchase.",
    isRepeatable: true,
    location: "/api/v1/batches/{batch_id}",
    body: TranscribeFeed,
    answers: { 202: Batch },
    problems: [
      "out_of_credits",
      "key_limit_reached",
      "feature_locked",
      "too_many_jobs",
      "batch_too_large",
      "language_unsupported",
      ...FEED_PROBLEMS,
      ...BODY_PROBLEMS,
      ...REPEAT_PROBLEMS,
    ],
  }),

  "podcasts.batches": operation({
    method: "GET",
    path: "/api/v1/batches",
    scope: "transcriptions:read",
    rate: "read",
    summary: "List batches",
    description: "With how far each is.",
    query: PageQuery,
    answers: { 200: BatchPage },
  }),

  "podcasts.batch": operation({
    method: "GET",
    path: "/api/v1/batches/:id",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Get the state of a batch",
    answers: { 200: BatchStatus },
    problems: ["not_found"],
  }),

  "podcasts.retryBatch": operation({
    method: "POST",
    path: "/api/v1/batches/:id/retry",
    scope: "transcriptions:write",
    rate: "create",
    summary: "Retry the failed jobs of a batch",
    description:
      "Those whose `failure` is `retryable`, newest first, as far as credits reach. They keep their options.",
    answers: { 200: BatchRetried },
    problems: ["not_found", "out_of_credits", "key_limit_reached"],
  }),

  "podcasts.cancelBatch": operation({
    method: "POST",
    path: "/api/v1/batches/:id/cancel",
    scope: "transcriptions:write",
    rate: "read",
    summary: "Cancel what is left of a batch",
    description: "Jobs that have ended stay as they are.",
    answers: { 200: BatchCanceled },
    problems: ["not_found"],
  }),
} as const
