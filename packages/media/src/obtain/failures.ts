import type { FailureCode } from "@earmark/core/jobs"
import { type FetchFailed, type JobSource, WorkFailed } from "@earmark/service"

const BY_REASON: Readonly<Record<Exclude<FetchFailed["reason"], "status">, FailureCode>> = {
  address_invalid: "source_unresolvable",
  address_blocked: "source_blocked",
  name_unknown: "source_unresolvable",
  refused: "source_unresolvable",
  tls: "source_unresolvable",
  timeout: "download_timeout",
  interrupted: "download_failed",
  too_many_redirects: "source_unresolvable",
  too_large: "media_too_large",
}

/** What a status other than 2xx means for whoever wanted the bytes. */
export const failureOfStatus = (status: number): FailureCode => {
  if (status === 404 || status === 410) return "source_not_found"
  if (status === 401 || status === 402 || status === 403 || status === 451) return "source_forbidden"
  if (status === 408 || status === 504) return "download_timeout"
  return status === 429 || status >= 500 ? "download_failed" : "source_unresolvable"
}

/** The failure code of a job whose source could not be fetched. */
export const failureOfFetch = ({ reason, status }: FetchFailed): FailureCode =>
  reason === "status" ? failureOfStatus(status ?? 0) : BY_REASON[reason]

/** Of an episode somebody gave the feed: that one is there. */
const OF_EPISODES: Partial<Record<FailureCode, (answer: string) => string>> = {
  source_not_found: (answer) =>
    `The feed lists this episode, but its media is gone: ${answer}. Choose another episode, or tell the publisher.`,
  source_forbidden: (answer) =>
    `The feed lists this episode, but its media is not handed out: ${answer}. Choose another episode, or upload the file.`,
}

/** A fetch of media that failed, as the end of an attempt. */
export const workFailedBy =
  ({ kind }: JobSource["shown"]) =>
  (failed: FetchFailed): WorkFailed => {
    const code = failureOfFetch(failed)
    const sentence = kind === "episode" ? OF_EPISODES[code] : undefined
    const detail = sentence?.(failed.detail)
    return new WorkFailed({
      code,
      isTransient: failed.isTransient,
      cause: failed,
      ...(detail !== undefined && { detail }),
    })
  }
