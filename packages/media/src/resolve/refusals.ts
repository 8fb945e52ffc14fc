/** Why a source cannot be used, in the codes and words of the wire. Texts name hosts, never paths, logins or what was found there. */
import type { EpisodeNotFound, FeedInvalid } from "@earmark/core/feeds"
import type { FailureCode } from "@earmark/core/jobs"
import type { LinkRefused } from "@earmark/core/links"
import type { ProblemCode } from "@earmark/core/wire"
import { type FetchFailed, SourceRefused } from "@earmark/service"
import { failureOfFetch, failureOfStatus } from "../obtain/failures.js"

export const refusal = (
  code: ProblemCode,
  failure: FailureCode,
  detail: string,
  later = false,
): SourceRefused => new SourceRefused({ code, failure, detail, later })

export const refusedLink = (refused: LinkRefused): SourceRefused =>
  refusal(
    refused.code,
    refused.code === "blocked_address" ? "source_blocked" : "source_unresolvable",
    refused.message,
  )

/** A server that takes no connections is a wrong address more often than a passing trouble. */
export const refusedFetch = (failed: FetchFailed): SourceRefused =>
  failed.reason === "address_blocked"
    ? refusal(
        "blocked_address",
        "source_blocked",
        `${sentence(failed.detail)} Paste a public address, or upload the file.`,
      )
    : refusal(
        "unresolvable_link",
        failureOfFetch(failed),
        sentence(failed.detail),
        failed.isTransient && failed.reason !== "refused",
      )

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const MEANINGS: Readonly<Record<string, string>> = {
  source_not_found: "there is nothing at this address; copy it again from where you found it",
  source_forbidden: "it is not handed out to the public; make it public, or upload the file",
  download_failed: "the server has trouble at the moment; try again later",
  download_timeout: "the server was too slow; try again later",
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : "The server")

/** An answer with a status that carries no source. */
export const refusedStatus = (address: string, status: number): SourceRefused => {
  const failure = failureOfStatus(status)
  const meaning = MEANINGS[failure] ?? "the answer cannot be used; check the address"
  const later = failure === "download_failed" || failure === "download_timeout"
  return refusal("unresolvable_link", failure, `${hostOf(address)} answered ${status}: ${meaning}.`, later)
}

export const refusedFeed = ({ message }: FeedInvalid): SourceRefused =>
  refusal("feed_invalid", "feed_invalid", message)

export const refusedEpisode = ({ message }: EpisodeNotFound): SourceRefused =>
  refusal("episode_not_found", "episode_not_found", message)

/** An episode was asked for where there is no feed. */
export const notAFeed = (): SourceRefused =>
  refusal(
    "feed_invalid",
    "feed_invalid",
    "This link is not a podcast feed. Paste the address of the RSS feed or an Apple link of the show.",
  )
