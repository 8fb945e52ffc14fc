import { createHash } from "node:crypto"
import type { Episode, TranscriptLink } from "@earmark/core/feeds"
import { isPublicAddress, mediaIdentity, stripCredentials } from "@earmark/core/links"
import type { CaptionOffer, ResolvedFeed, ResolvedSource } from "@earmark/service"
import { DateTime } from "effect"
import type { FoundFeed } from "./namedFeeds.js"
import { storable } from "./storable.js"

export type EpisodeSource = ResolvedFeed["episodes"][number]

/** The likelier a format is to have times and speakers, the sooner it is read. Unknown ones come before those without times. */
const FORMATS: ReadonlyArray<RegExp> = [
  /vtt/i,
  /json/i,
  /srt|subrip/i,
  /ttml|dfxp/i,
  /^(?!.*(?:html|plain|text)).*$/i,
  /html/i,
]

const placeOf = ({ type, url }: TranscriptLink): number => {
  const name = type ?? /\.([a-z]{2,5})(?:[?#]|$)/i.exec(url)?.[1] ?? ""
  const place = FORMATS.findIndex((format) => format.test(name))
  return place < 0 ? FORMATS.length : place
}

const offersOf = (
  transcripts: ReadonlyArray<TranscriptLink>,
  language: string | null,
): ReadonlyArray<CaptionOffer> =>
  [...transcripts]
    .sort((left, right) => placeOf(left) - placeOf(right))
    .map((link) => ({
      url: link.url,
      type: link.type,
      // One without a language is in that of the show.
      language: link.language ?? language,
      madeBy: "people",
    }))

/** Whether the address has a login, or leads into somebody's own network. */
const isPrivate = (address: string): boolean => {
  if (stripCredentials(address).authorization !== null) return true
  const host = URL.canParse(address) ? new URL(address).hostname : ""
  const isLiteral = /^(?:\[.*\]|[\d.]+)$/.test(host)
  return isLiteral && !isPublicAddress(host.replace(/^\[|\]$/g, ""))
}

/** One text for the same media, without a login in clear. */
const identityOf = (address: string): string => {
  const identity = mediaIdentity(address)
  return stripCredentials(address).authorization === null
    ? identity
    : createHash("sha256").update(identity).digest("hex")
}

/** Media at an address that anybody may ask for, unless the address itself says otherwise. */
export const mediaSource = (
  address: string,
  facts: Pick<ResolvedSource, "shown" | "title"> & Partial<ResolvedSource>,
): ResolvedSource => {
  const mediaUrl = storable(address)
  return {
    mediaUrl,
    identity: identityOf(mediaUrl),
    isPublic: !isPrivate(mediaUrl),
    durationSeconds: null,
    language: null,
    captions: [],
    ...facts,
    title: facts.title === null ? null : storable(facts.title),
  }
}

/** An episode of a feed as a source. */
export const episodeSource = (
  episode: Episode,
  { feed, feedUrl, authorization }: FoundFeed,
): EpisodeSource => {
  const { audioUrl, title, guid, index, publishedAt, link, image, durationSeconds } = episode
  const source = mediaSource(audioUrl, {
    title,
    shown: {
      kind: "episode",
      url: stripCredentials(audioUrl).url,
      feedUrl,
      episodeGuid: guid,
      ...(publishedAt !== null && { publishedAt: DateTime.unsafeMake(publishedAt) }),
    },
    durationSeconds: durationSeconds === 0 ? null : durationSeconds,
    language: feed.language,
    captions: offersOf(episode.transcripts, feed.language),
  })
  return {
    ...source,
    isPublic: source.isPublic && authorization === null,
    guid,
    index,
    publishedAt,
    link,
    image,
  }
}
