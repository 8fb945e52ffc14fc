/** A podcaster's feed with the tags of published transcripts in it. */
import { mediaIdentity } from "@earmark/core/links"
import { type FeedItem, tagFeed } from "@earmark/core/publishing"
import { Effect } from "effect"
import { SiteRefused } from "./SiteRefused.js"

/** What an episode is found by in a feed, and the lines to put there. */
export interface TaggedEpisode {
  readonly guid: string | null
  readonly mediaUrl: string | null
  readonly tags: ReadonlyArray<string>
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A feed that was read from a file. */
export interface FeedText {
  readonly text: string
  readonly encoding: "utf8" | "latin1"
}

/** A feed as text, and the text as the same bytes again. Of other encodings each byte is a character: what is put in is ASCII. */
export const feedTextOf = (bytes: Buffer): FeedText => {
  try {
    return { text: UTF8.decode(bytes), encoding: "utf8" }
  } catch {
    return { text: bytes.toString("latin1"), encoding: "latin1" }
  }
}

const identityOf = (address: string): string => mediaIdentity(address) ?? address

/** Finds episodes by their GUID, else by their recording. Of several the first is meant. */
const finderOf = (episodes: ReadonlyArray<TaggedEpisode>) => {
  const byGuid = new Map<string, ReadonlyArray<string>>()
  const byMedia = new Map<string, ReadonlyArray<string>>()
  for (const { guid, mediaUrl, tags } of episodes) {
    if (guid !== null && !byGuid.has(guid)) byGuid.set(guid, tags)
    if (mediaUrl !== null && !byMedia.has(identityOf(mediaUrl))) byMedia.set(identityOf(mediaUrl), tags)
  }
  return ({ guid, mediaUrl }: FeedItem) =>
    byGuid.get(guid ?? "") ?? (mediaUrl === null ? undefined : byMedia.get(identityOf(mediaUrl))) ?? null
}

/** Tells of a transcript whether the feed has its episode: by the GUID, else by the recording. */
export const isInFeed = ({ text }: FeedText) => {
  const known = new Set<string>()
  tagFeed(text, {
    tagsOf: ({ guid, mediaUrl }) => {
      if (guid !== null) known.add(`guid ${guid}`)
      if (mediaUrl !== null) known.add(`media ${identityOf(mediaUrl)}`)
      return null
    },
    isOwn: () => false,
  })
  return ({ guid, mediaUrl }: Pick<TaggedEpisode, "guid" | "mediaUrl">): boolean =>
    known.has(`guid ${guid}`) || (mediaUrl !== null && known.has(`media ${identityOf(mediaUrl)}`))
}

/** The feed with the tags. Those under `own` are of an earlier run, and are replaced. */
export const tagsInto = (
  source: string,
  { text, encoding }: FeedText,
  episodes: ReadonlyArray<TaggedEpisode>,
  own: string,
) =>
  Effect.gen(function* () {
    const tagged = tagFeed(text, { tagsOf: finderOf(episodes), isOwn: (url) => url.startsWith(own) })
    if (tagged.items === 0)
      return yield* new SiteRefused({
        reason: "no_episodes",
        subject: source,
        message: `${source} has no episodes.`,
      })
    return { bytes: Buffer.from(tagged.text, encoding), items: tagged.items, tagged: tagged.tagged }
  })
