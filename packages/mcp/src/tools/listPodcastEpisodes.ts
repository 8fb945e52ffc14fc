import { counted } from "@earmark/core/text"
import { decodeRequest, type Episode, type EpisodeList, EpisodesQuery } from "@earmark/core/wire"
import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { fitting, jsonLength } from "./fitting.js"
import { quoted } from "./foreignText.js"
import { iso } from "./jobs.js"
import { presetTo } from "./jsonSchema.js"
import { asQuery, reread, tool } from "./Tool.js"

const { optional } = fields

const LIMIT = 50

const Input = Schema.Struct({
  feed: fields.feed,
  limit: optional(presetTo(fields.integer("Episodes per page.", { from: 1, to: 200 }), LIMIT)),
  cursor: optional(fields.cursor),
})

const Published = Schema.Struct({
  url: fields.text("Address."),
  type: fields.text("Media type."),
  language: optional(fields.text("ISO code.")),
})

/** What is told of an episode wherever episodes are listed. */
export const episodeFields = {
  index: fields.integer("Pass as episode_index to transcribe. 0 = newest.", { from: 0 }),
  title: fields.text("Title."),
  guid: fields.text("Pass as episode_guid to transcribe."),
  published_at: optional(fields.moment("RFC 3339, when the feed says.")),
  duration_seconds: optional(fields.integer("Length, when the feed says.", { from: 0 })),
}

const Item = Schema.Struct({
  ...episodeFields,
  audio_url: fields.text("Address of the media."),
  link: optional(fields.text("Page of the episode.")),
  transcripts: optional(fields.list("Transcripts that the publisher offers.", Published)),
})

const Output = Schema.Struct({
  feed_title: optional(fields.text("Title of the podcast.")),
  total: fields.integer("Episodes with playable media in the feed.", { from: 0 }),
  returned: fields.integer("Episodes of this page.", { from: 0 }),
  episodes: fields.list("This page, newest first.", Item),
  next_cursor: optional(fields.nextCursor),
  next_step: fields.nextStep,
})

/** Without what the feed does not say. */
export const shownEpisode = ({ index, title, guid, publishedAt, durationSeconds, audioUrl }: Episode) => ({
  index,
  title: title ?? guid,
  guid,
  ...(publishedAt !== null && { published_at: iso(publishedAt) }),
  ...(durationSeconds !== null && { duration_seconds: durationSeconds }),
  audio_url: audioUrl,
})

const itemOf = (episode: Episode): typeof Item.Type => ({
  ...shownEpisode(episode),
  ...(episode.link !== null && { link: episode.link }),
  ...(episode.transcripts.length > 0 && {
    transcripts: episode.transcripts.map(({ url, type, language }) => ({
      url,
      type: type ?? "text/plain",
      ...(language !== null && { language }),
    })),
  }),
})

export const episodeLine = ({ index, title, guid, publishedAt, durationSeconds }: Episode): string =>
  [
    String(index),
    publishedAt === null ? "undated" : iso(publishedAt).slice(0, 10),
    durationSeconds === null ? "length unknown" : `${durationSeconds} s`,
    quoted(title ?? guid),
    `guid ${quoted(guid)}`,
  ].join(" | ")

const decodeEpisodes = decodeRequest(EpisodesQuery)

/** A page of episodes that is short enough for an answer. */
export const episodesOf = (feed: string, limit: number, cursor: string | undefined) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    return yield* fitting(
      limit,
      (items) =>
        Effect.flatMap(reread(decodeEpisodes(asQuery({ feed, limit: items, cursor }))), (query) =>
          backend.ask("podcasts.episodes", { query }),
        ),
      ({ data }: EpisodeList) => jsonLength(data.map(itemOf)),
    )
  })

export const listPodcastEpisodes = tool({
  name: "list_podcast_episodes",
  title: "List the episodes of a podcast",
  description:
    "Episodes of a feed (RSS or Apple Podcasts link), newest first, with index and guid for transcribe. Free. To start many at once use transcribe_podcast_feed.",
  annotations: { readOnlyHint: true, openWorldHint: true, idempotentHint: true },
  scope: "transcriptions:read",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* ({ feed, limit = LIMIT, cursor }) {
    const { total, data, nextCursor } = yield* episodesOf(feed, limit, cursor)
    const next =
      nextCursor !== null
        ? "Repeat the call with next_cursor for older episodes, or call transcribe with url = feed and episode_guid."
        : "Call transcribe with url = feed and episode_guid, or transcribe_podcast_feed with dry_run for many."
    return {
      structured: {
        total,
        returned: data.length,
        episodes: data.map(itemOf),
        ...(nextCursor !== null && { next_cursor: nextCursor }),
        next_step: next,
      },
      lines: [
        `${counted(total, "episode")}, ${data.length} of them here (index | date | length | title | guid):`,
        ...data.map(episodeLine),
        ...(nextCursor === null ? [] : [`next_cursor: ${nextCursor}`]),
        next,
      ],
    }
  }),
})
