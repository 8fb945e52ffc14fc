/** Which episodes of a feed have a transcription already. */
import type { TranscriptionList, TranscriptionSummary, TranscriptionsListQuery } from "@earmark/api/client"
import { resource } from "../../cache.js"
import { earmark } from "../../session.js"

type Made = Pick<TranscriptionSummary, "id" | "status">

/** By the guid of the episode: the one that is done, else one that is in progress. One that failed is none. */
export type EpisodesMade = ReadonlyMap<string, Made>

type Page = Pick<TranscriptionList, "next_cursor"> & {
  readonly data: ReadonlyArray<Pick<TranscriptionSummary, "id" | "status" | "source">>
}

/** As many pages are read at most: more transcriptions than the episodes that are listed. */
const MOST_PAGES = 10

const madeIn = async (list: (query: TranscriptionsListQuery) => Promise<Page>): Promise<EpisodesMade> => {
  const made = new Map<string, Made>()
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await list({ limit: 100, cursor })
    for (const { id, status, source } of page.data) {
      const guid = source.episode_guid
      if (guid === undefined || status === "failed" || made.get(guid)?.status === "done") continue
      made.set(guid, { id, status })
    }
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  return made
}

export const episodesMade = resource((feed: string) =>
  madeIn((query) => earmark.transcriptions.list({ ...query, feed })),
)
