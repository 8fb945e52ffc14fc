/** A podcaster's feed with the tags of published transcripts in it. */
import { mediaIdentity } from "@earmark/core/links"
import { type FeedItem, tagFeed } from "@earmark/core/publishing"
import { Effect } from "effect"
import { failed, usage } from "../CommandFailed.js"
import { isAddress, readAll } from "../input.js"

const MOST_BYTES = 256 * 1024 * 1024

/** What an episode is found by in a feed, and the lines to put there. */
export interface TaggedEpisode {
  readonly guid: string | null
  readonly mediaUrl: string | null
  readonly tags: ReadonlyArray<string>
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A feed as text, and the text as the same bytes again. Of other encodings each byte is a character: what is put in is ASCII. */
const textOf = (bytes: Buffer): { readonly text: string; readonly encoding: "utf8" | "latin1" } => {
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

export const readFeedFile = Effect.fnUntraced(function* (source: string) {
  if (isAddress(source))
    return yield* usage(
      `--feed takes a file, and ${source} is an address. Fetch it first: curl -L ADDRESS -o feed.xml`,
    )
  return textOf(Buffer.from(yield* readAll(source, MOST_BYTES)))
})

type FeedText = Effect.Effect.Success<ReturnType<typeof readFeedFile>>

/** Which items a feed has, to know what there is to publish. */
export const itemsOf = ({ text }: FeedText): ReadonlyArray<FeedItem> => {
  const items: Array<FeedItem> = []
  tagFeed(text, {
    tagsOf: (item) => {
      items.push(item)
      return null
    },
    isOwn: () => false,
  })
  return items
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
      return yield* failed(`${source} has no episodes. Give the RSS or Atom file of a podcast with --feed.`)
    return { bytes: Buffer.from(tagged.text, encoding), items: tagged.items, tagged: tagged.tagged }
  })
