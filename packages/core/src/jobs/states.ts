/** The words for where a job stands. */
import * as Schema from "effect/Schema"

/** What every client may rely on: `done` and `failed` are final. */
export const JobStatus = Schema.Literal("queued", "done", "failed")
export type JobStatus = typeof JobStatus.Type

/** What a queued job is doing. */
export const Phase = Schema.Literal(
  "waiting",
  "waiting_for_credits",
  "fetching",
  "decoding",
  "transcribing",
  "diarizing",
  "enriching",
  "finalizing",
)
export type Phase = typeof Phase.Type

/** The phases in which a worker has the job. */
export const WorkPhase = Phase.pipe(
  Schema.pickLiteral("fetching", "decoding", "transcribing", "diarizing", "enriching", "finalizing"),
)
export type WorkPhase = typeof WorkPhase.Type

/** How long a job waits for credits before it fails. */
export const CREDITS_WAIT_SECONDS = 72 * 3600
