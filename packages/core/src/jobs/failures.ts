/** Why jobs fail: for each code one sentence that says what happened and what to do. */
import * as Schema from "effect/Schema"
import { Count } from "./fields.js"
import { Phase } from "./states.js"

interface FailureFacts {
  /** The phase in which it happens when the worker does not know better. */
  readonly stage: Phase
  /** Whether the same job may succeed later, with nothing changed by the client. */
  readonly retryable: boolean
  readonly sentence: string
}

const facts = (stage: Phase, retryable: boolean, sentence: string): FailureFacts => ({
  stage,
  retryable,
  sentence,
})

export const FailureCode = Schema.Literal(
  "source_unresolvable",
  "source_forbidden",
  "source_not_found",
  "source_blocked",
  "download_failed",
  "download_timeout",
  "unsupported_media",
  "empty_media",
  "no_speech",
  "media_too_long",
  "media_too_large",
  "feed_invalid",
  "episode_not_found",
  "upload_missing",
  "language_unsupported",
  "insufficient_credits",
  "engine_error",
  "engine_timeout",
  "engine_unavailable",
  "internal_error",
  "canceled",
  "expired",
)
export type FailureCode = typeof FailureCode.Type

const FAILURES: Readonly<Record<FailureCode, FailureFacts>> = {
  source_unresolvable: facts(
    "fetching",
    false,
    "No media could be found behind the link; check that it opens in a browser, or link the media file itself.",
  ),
  source_forbidden: facts(
    "fetching",
    false,
    "The server of the link refused to hand out the media; make it public, or upload the file.",
  ),
  source_not_found: facts(
    "fetching",
    false,
    "The link leads to nothing (404 or 410); check the address, or upload the file.",
  ),
  source_blocked: facts(
    "fetching",
    false,
    "The link leads to an address that this server does not visit; use a public address, or upload the file.",
  ),
  download_failed: facts(
    "fetching",
    true,
    "The media could not be downloaded completely; retry the job, or upload the file.",
  ),
  download_timeout: facts(
    "fetching",
    true,
    "The server of the link was too slow; retry the job later, or upload the file.",
  ),
  unsupported_media: facts(
    "decoding",
    false,
    "The file is not audio or video that can be decoded; convert it, for example to MP3, and create a new job.",
  ),
  empty_media: facts(
    "decoding",
    false,
    "The media holds no sound at all; check that the file has an audio track and is complete.",
  ),
  no_speech: facts(
    "transcribing",
    false,
    "No speech was found in the media; check that this is the right file and that the voice is not muted.",
  ),
  media_too_long: facts(
    "decoding",
    false,
    "The media is longer than the account's plan allows; cut it with start_at and end_at, or change the plan.",
  ),
  media_too_large: facts(
    "fetching",
    false,
    "The file is larger than this server accepts; send the audio track alone or a smaller encoding.",
  ),
  feed_invalid: facts(
    "fetching",
    false,
    "The link was taken for a podcast feed but cannot be read as one; check the address of the feed.",
  ),
  episode_not_found: facts(
    "fetching",
    false,
    "The feed has no such episode with playable media; list its episodes and choose one of them.",
  ),
  upload_missing: facts(
    "fetching",
    false,
    "The uploaded file is not there any more, or never arrived; upload it again and create a new job.",
  ),
  language_unsupported: facts(
    "transcribing",
    false,
    "No configured engine knows the language; choose another language, or leave it out to have it detected.",
  ),
  insufficient_credits: facts(
    "waiting_for_credits",
    true,
    "The account had too few credits for three days; top up, then retry the job.",
  ),
  engine_error: facts(
    "transcribing",
    true,
    "The speech engine failed on this media; retry the job, and report it when it fails again.",
  ),
  engine_timeout: facts(
    "transcribing",
    true,
    "The speech engine took too long; retry the job, or try quality fast.",
  ),
  engine_unavailable: facts(
    "transcribing",
    true,
    "No speech engine is available at the moment; retry the job later.",
  ),
  internal_error: facts(
    "waiting",
    true,
    "Something went wrong on our side; retry the job, and report its id when it fails again.",
  ),
  canceled: facts("waiting", true, "The job was canceled; retry it when you want it after all."),
  expired: facts(
    "waiting",
    false,
    "The retention of a job of an earlier version ended before the job did; create a new one.",
  ),
}

/** Why a job failed, in the words of the wire. */
export const Failure = Schema.Struct({
  code: FailureCode,
  stage: Phase,
  retryable: Schema.Boolean,
  attempts: Count,
})
export type Failure = typeof Failure.Type

/** The failure of a job; `stage` is the phase it was in, where that is known better than the code tells. */
export const failureOf = (
  code: FailureCode,
  known: { readonly attempts: number; readonly stage?: Phase },
): Failure => ({
  code,
  stage: known.stage ?? FAILURES[code].stage,
  retryable: isRetryable(code),
  attempts: known.attempts,
})

/** What happened and what to do, in one sentence: the `error` of a failed job. */
export const failureSentence = (code: FailureCode): string => FAILURES[code].sentence

/** Whether another try may end better. */
export const isRetryable = (code: FailureCode): boolean => FAILURES[code].retryable
