/** Feeds at addresses. Loaded for them alone. */
import { stripCredentials } from "@earmark/core/links"
import type { ListingWanted } from "@earmark/media"
import { downloadFeedAt, listFeedAt } from "@earmark/runtime"
import { Effect } from "effect"
import { failed, usage } from "../CommandFailed.js"
import { sentenceOf } from "../transcribe/sentences.js"

type Failure = Effect.Effect.Error<ReturnType<typeof listFeedAt>>

const explained = (source: string) => (failure: Failure) => {
  const { url } = stripCredentials(source)
  switch (failure._tag) {
    case "SettingInvalid":
      return usage(`${failure.message}.`)
    case "FeedTooSlow":
      return failed(
        `${url}: the server did not answer in full within ${failure.seconds} seconds. Try again later, or download the feed and give the file.`,
      )
    case "SourceRefused":
      return failed(`${url}: ${sentenceOf(failure)}`)
  }
}

export const fromWeb = (source: string, wanted: ListingWanted) =>
  Effect.mapError(listFeedAt(source, wanted), explained(source))

/** The document at the address of a feed, as it is. */
export const downloadFeed = (source: string) => Effect.mapError(downloadFeedAt(source), explained(source))
