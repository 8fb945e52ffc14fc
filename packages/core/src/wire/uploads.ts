import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { field, integer, optional, Timestamp, text } from "../jobs/fields.js"
import { AccountId } from "../jobs/ids.js"

/** How long a presigned address lives, in seconds. */
export const UPLOAD_SECONDS = 3600

/** How long an unused upload is kept, in seconds. */
export const UNUSED_UPLOAD_SECONDS = 24 * 3600

const EXTENSIONS: Readonly<Record<string, string>> = {
  "application/atom+xml": "xml",
  "application/feed+json": "json",
  "application/json": "json",
  "application/ogg": "ogg",
  "application/rdf+xml": "xml",
  "application/rss+xml": "xml",
  "application/xml": "xml",
  "audio/3gpp": "3gp",
  "audio/aac": "aac",
  "audio/ac3": "ac3",
  "audio/aiff": "aiff",
  "audio/amr": "amr",
  "audio/basic": "au",
  "audio/flac": "flac",
  "audio/m4a": "m4a",
  "audio/matroska": "mka",
  "audio/mp3": "mp3",
  "audio/mp4": "m4a",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "audio/opus": "opus",
  "audio/vnd.wave": "wav",
  "audio/wav": "wav",
  "audio/wave": "wav",
  "audio/webm": "webm",
  "audio/x-aiff": "aiff",
  "audio/x-flac": "flac",
  "audio/x-m4a": "m4a",
  "audio/x-matroska": "mka",
  "audio/x-ms-wma": "wma",
  "audio/x-wav": "wav",
  "text/xml": "xml",
  "video/3gpp": "3gp",
  "video/mp2t": "ts",
  "video/mp4": "mp4",
  "video/mpeg": "mpg",
  "video/ogg": "ogv",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/x-flv": "flv",
  "video/x-m4v": "m4v",
  "video/x-matroska": "mkv",
  "video/x-ms-wmv": "wmv",
  "video/x-msvideo": "avi",
}

const MEDIA_TYPE = /^(?:(?:audio|video)\/[a-z0-9][a-z0-9.+-]{0,99}|application\/ogg)$/
const FEED_TYPE = /^(?:application\/(?:(?:rss|atom|rdf)\+xml|xml|feed\+json|json)|text\/xml)$/
/** Such as `;codecs="opus"`: browsers say it of what they record. */
const PARAMETERS = /^(?:;[a-z0-9!#$&^_.+-]{1,60}=(?:[a-z0-9!#$&^_.+-]{1,99}|"[ !#-[\]-~]{0,99}")){0,4}$/

/** No type that is taken is longer, with its parameters and some spaces between them. */
const LONGEST = 1000

/** One spelling of all that mean the same: `Audio/WebM; codecs=opus` is `audio/webm;codecs=opus`. */
const plain = (contentType: string): string =>
  contentType.length > LONGEST
    ? contentType
    : contentType.toLowerCase().replaceAll(/(?<![ \t])[ \t]*;[ \t]*/g, ";")

const split = (contentType: string) => {
  const text = plain(contentType)
  const end = text.indexOf(";")
  return end < 0 ? ([text, ""] as const) : ([text.slice(0, end), text.slice(end)] as const)
}

/** Whether two media types are the same, however they are written. */
export const isSameMediaType = (one: string, other: string): boolean => plain(one) === plain(other)

/** Whether an upload is the document of a feed, and no recording. */
export const isFeedType = (contentType: string): boolean => FEED_TYPE.test(split(contentType)[0])

const isTaken = (contentType: string): boolean => {
  const [type, parameters] = split(contentType)
  return (MEDIA_TYPE.test(type) || FEED_TYPE.test(type)) && PARAMETERS.test(parameters)
}

/** A media type of audio, video or a feed. */
export const MediaType = Schema.String.pipe(
  Schema.filter(isTaken, {
    description:
      "a media type such as audio/mpeg or video/mp4, or that of a feed such as application/rss+xml",
  }),
)

/** The extension of an upload: from the table of media types, never from a file name. */
export const extensionOf = (contentType: string): string => {
  const [known] = split(contentType)
  return Object.hasOwn(EXTENSIONS, known) ? (EXTENSIONS[known] ?? "bin") : "bin"
}

/** The body of `POST /uploads`. What is larger than the plan allows is refused by the use case, which knows the plan. */
export const UploadRequest = Schema.Struct({
  filename: optional(text(255)),
  contentType: field("content_type", MediaType),
  bytes: integer(1).annotations({
    description: "a whole number of at least 1; an empty file has nothing to transcribe",
  }),
})
export type UploadRequest = typeof UploadRequest.Type

export const UploadHandshake = Schema.Struct({
  uploadUrl: field("upload_url", Schema.String),
  mediaRef: field("media_ref", Schema.String),
  /** Seconds. */
  expiresIn: field("expires_in", integer(1)),
  uploadPage: field("upload_page", Schema.String),
})
export type UploadHandshake = typeof UploadHandshake.Type

const MEBIBYTE = 1024 * 1024
const LEAST_PART = 5 * MEBIBYTE
const MOST_PARTS = 250

/** The bytes of a part of an upload of this size, all but the last: the same whenever it is asked for. */
const partBytesOf = (bytes: number): number =>
  Math.max(LEAST_PART, Math.ceil(bytes / MOST_PARTS / MEBIBYTE) * MEBIBYTE)

/** The size of each part of an upload, in order. */
export const partsOf = (bytes: number): ReadonlyArray<number> => {
  const size = partBytesOf(bytes)
  return Array.from({ length: Math.ceil(bytes / size) }, (_, at) => Math.min(size, bytes - at * size))
}

/** The upload that a request is about. */
export const UploadNamed = Schema.Struct({ mediaRef: field("media_ref", text(200)) })
export type UploadNamed = typeof UploadNamed.Type

/** The answer of `POST /uploads/complete`. */
export const CompletedUpload = Schema.Struct({ mediaRef: field("media_ref", Schema.String) })
export type CompletedUpload = typeof CompletedUpload.Type

export const UploadPart = Schema.Struct({
  partNumber: field("part_number", integer(1)),
  bytes: integer(1),
  isReceived: field("is_received", Schema.Boolean),
  uploadUrl: field("upload_url", Schema.String),
})
export type UploadPart = typeof UploadPart.Type

export const UploadParts = Schema.Struct({
  mediaRef: field("media_ref", Schema.String),
  /** Seconds. */
  expiresIn: field("expires_in", integer(1)),
  parts: Schema.Array(UploadPart),
})
export type UploadParts = typeof UploadParts.Type

export const UploadState = Schema.Literal("pending", "stored", "used")
export type UploadState = typeof UploadState.Type

/** An upload as it is stored. */
export const Upload = Schema.Struct({
  mediaRef: field("media_ref", Schema.String),
  accountId: field("account_id", AccountId),
  contentType: field("content_type", MediaType),
  bytes: integer(1),
  state: UploadState,
  etag: Schema.NullOr(Schema.String),
  expiresAt: field("expires_at", Timestamp),
})
export type Upload = typeof Upload.Type

/**
 * The reference is malformed, belongs to another account, was never issued, or is past its life: one same answer. Only
 * who was given it is told that it is good, and still without its bytes.
 */
export class MediaRefUnknown extends Schema.TaggedError<MediaRefUnknown>()("MediaRefUnknown", {
  isAwaited: Schema.optional(Schema.Boolean),
}) {
  override get message() {
    if (this.isAwaited === true)
      return "This media_ref has no media yet: its bytes have not arrived. PUT them to its upload_url"
    return "The media_ref is not known to this account; upload the file again"
  }
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
const MEDIA_REF = new RegExp(`^uploads/(acct_[0-9a-z]{26})/${UUID}\\.[a-z0-9]{1,5}$`)

export const makeMediaRef = (account: AccountId, uuid: string, contentType: string): string =>
  `uploads/${account}/${uuid}.${extensionOf(contentType)}`

/** The reference itself, when it has the shape of one that this account could have been given. */
export const parseMediaRef = (
  reference: string,
  account: AccountId,
): Either.Either<string, MediaRefUnknown> =>
  MEDIA_REF.exec(reference)?.[1] === account ? Either.right(reference) : Either.left(new MediaRefUnknown())
