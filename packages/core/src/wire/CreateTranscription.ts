import * as Schema from "effect/Schema"
import { integer, optional, optionalField, sometimes, text } from "../jobs/fields.js"
import { JobId } from "../jobs/ids.js"
import { Metadata } from "../jobs/metadata.js"
import {
  optionConflicts,
  requestedOptions,
  TranscriptText,
  transcriptTextConflicts,
} from "../jobs/options.js"
import { SPEAKER_LABEL } from "../text/speakerLabel.js"

const LONGEST_LINK = 8192
const TEN_YEARS = 315_360_000

/** A link as a client writes it; what it leads to is decided later. */
export const LinkText = text(LONGEST_LINK)

const Title = text(300)

/** What a client may say about a job beside the source and the options. */
export const requestedKeeping = {
  metadata: optional(Metadata),
  deleteAfterSeconds: optionalField("delete_after_seconds", integer(1, TEN_YEARS)),
}

/** The names of the three fields that can be the source. */
export const SOURCE_FIELDS = ["url", "media_ref", "blob_url"] as const

const Fields = Schema.Struct({
  url: optional(LinkText),
  mediaRef: optionalField("media_ref", text(512)),
  blobUrl: optionalField("blob_url", LinkText),
  episodeGuid: optionalField("episode_guid", text(2048)),
  episodeIndex: optionalField("episode_index", integer(0, 1_000_000)),
  title: optional(Title),
  transcriptText: optionalField("transcript_text", TranscriptText),
  ...requestedOptions,
  ...requestedKeeping,
})

const sourceConflicts = (request: typeof Fields.Type): Array<Schema.FilterIssue> => {
  const sources = [request.url, request.mediaRef, request.blobUrl].filter((source) => source !== undefined)
  const names = SOURCE_FIELDS.join(", ")
  const picksEpisode = request.episodeGuid !== undefined || request.episodeIndex !== undefined
  const conflicts: Array<Schema.FilterIssue> = []
  if (sources.length === 0) conflicts.push({ path: [], message: `Give one of ${names}` })
  if (sources.length > 1) conflicts.push({ path: [], message: `Give only one of ${names}` })
  if (request.episodeGuid !== undefined && request.episodeIndex !== undefined) {
    conflicts.push({ path: ["episode_index"], message: "Give episode_guid or episode_index, not both" })
  }
  if (picksEpisode && request.blobUrl !== undefined) {
    const path = request.episodeGuid === undefined ? "episode_index" : "episode_guid"
    conflicts.push({
      path: [path],
      message: "An episode can be chosen only in a feed, given as url or media_ref",
    })
  }
  return conflicts
}

/** The body of `POST /transcriptions`. Exactly one of the three sources is there. */
export const CreateTranscription = Fields.pipe(
  Schema.filter((request) => [
    ...sourceConflicts(request),
    ...optionConflicts(request),
    ...transcriptTextConflicts(request),
  ]),
)
export type CreateTranscription = typeof CreateTranscription.Type

/** The body of `PATCH /transcriptions/{id}`. Missing: unchanged. Null: taken away. */
export const PatchTranscription = Schema.Struct({
  title: Schema.optionalWith(Schema.NullOr(Title), { exact: true }),
  metadata: Schema.optionalWith(Schema.NullOr(Metadata), { exact: true }),
  /** New names for labels, for example `{"Speaker 1": "Ann"}`; null gives a speaker the label back. */
  speakers: Schema.optionalWith(
    Schema.NullOr(
      Schema.Record({
        key: Schema.String.pipe(Schema.pattern(SPEAKER_LABEL, { description: "a label such as Speaker 1" })),
        value: Schema.NullOr(text(100)),
      }),
    ),
    { exact: true },
  ),
})
export type PatchTranscription = typeof PatchTranscription.Type

/** What creation answers. */
export const Acknowledgement = Schema.Struct({
  id: JobId,
  status: Schema.Literal("queued", "done"),
  url: Schema.String,
  /** Whether the result of an earlier transcription is used. Answers from before this field do not tell it. */
  cached: sometimes(Schema.Boolean),
})
export type Acknowledgement = typeof Acknowledgement.Type

export const acknowledge = (
  id: JobId,
  { status, cached }: Required<Pick<Acknowledgement, "status" | "cached">>,
): Acknowledgement => ({ id, status, url: transcriptionPath(id), cached })

/** Where a job is read, under the base address. */
export const transcriptionPath = (id: string): string => `/api/v1/transcriptions/${id}`
