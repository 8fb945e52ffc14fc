/** Which episodes of a feed become jobs, and why others do not. */
import type { Batch, PlanLimits, SkipReason, TranscribeFeed } from "@earmark/core/wire"
import type { ResolvedFeed } from "../ports/SourceResolver.js"
import { heardSeconds, isTooLong } from "./limits.js"
import { literalAddress } from "./literalAddress.js"
import { RequestRefused } from "./refusals.js"
import type { ServiceConfig } from "./ServiceConfig.js"

type Part = Parameters<typeof heardSeconds>[1]

type FeedEpisode = ResolvedFeed["episodes"][number]

const REFUSALS: Readonly<Record<SkipReason, RequestRefused["code"]>> = {
  no_media: "episode_not_found",
  duplicate: "episode_not_found",
  too_long: "media_too_long",
  blocked_address: "blocked_address",
}

/** A batch without a job is no batch: the code is that of the reason, where it is the same for all. */
export const nothingToDo = (skipped: Batch["skipped"]) => {
  const [reason, ...others] = new Set(skipped.map((episode) => episode.reason))
  const code = reason === undefined || others.length > 0 ? "episode_not_found" : REFUSALS[reason]
  const why = [reason, ...others].join(", ")
  return new RequestRefused({ code, detail: `None of the episodes can become a job: ${why}` })
}

/** Why an episode cannot become a job; null when it can. */
const reasonAgainst = (
  { identity, mediaUrl, durationSeconds }: FeedEpisode,
  seen: ReadonlySet<string>,
  limits: PlanLimits,
  allow: ServiceConfig["Type"]["egressAllow"],
  part: Part,
): SkipReason | null => {
  if (!/^https?:\/\//i.test(mediaUrl)) return "no_media"
  if (seen.has(identity)) return "duplicate"
  if (isTooLong(heardSeconds(durationSeconds, part), limits)) return "too_long"
  return literalAddress(mediaUrl, allow) === "forbidden" ? "blocked_address" : null
}

/** What becomes a job, newest first, and what does not: at no web address, the same file twice, longer than the plan allows, or at a private address. */
export const sort = (
  chosen: ReadonlyArray<FeedEpisode>,
  limits: PlanLimits,
  { egressAllow }: Pick<ServiceConfig["Type"], "egressAllow">,
  asked: Pick<TranscribeFeed, "startAt" | "endAt"> = {},
) => {
  const part: Part = { startAt: asked.startAt ?? null, endAt: asked.endAt ?? null }
  const taken: Array<FeedEpisode> = []
  const skipped: Array<Batch["skipped"][number]> = []
  const seen = new Set<string>()
  for (const episode of chosen) {
    const { guid, title, identity } = episode
    const reason = reasonAgainst(episode, seen, limits, egressAllow, part)
    if (reason === null) taken.push(episode)
    else skipped.push({ guid, title, reason })
    seen.add(identity)
  }
  return { taken, skipped }
}
