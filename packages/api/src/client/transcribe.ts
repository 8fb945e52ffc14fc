/** From media to text in one call. */
import { callsOf } from "./calls.js"
import { InputError, TranscriptionFailed } from "./errors.js"
import { type WaitOptions, waitFor } from "./follow.js"
import type { UploadOptions } from "./sendUpload.js"
import type { RepeatableOptions, Transport } from "./Transport.js"
import type { UploadSource } from "./UploadSource.js"
import { upload } from "./upload.js"
import type { CreateTranscription, DoneTranscription } from "./wire.js"

type Source = Pick<CreateTranscription, "url" | "media_ref" | "blob_url" | "episode_guid" | "episode_index">

/** What a transcription is made of: a web address, something to upload, or the source fields of `create`. */
export type TranscribeSource = UploadSource | Source

/** The fields of `create` that say what is wanted. */
export type TranscribeOptions = Omit<CreateTranscription, keyof Source>

export interface TranscribeCallOptions
  extends Pick<UploadOptions, "filename" | "contentType" | "bytes" | "idempotencyKey">,
    Omit<WaitOptions, "include"> {
  /** Told how far the upload is, where there is one. */
  readonly onUpload?: UploadOptions["onProgress"]
}

const WEB = /^https?:\/\//i
const OTHER_ADDRESS = /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i
const MEDIA_REF = /^uploads\/acct_[^/]+\/[^/]+$/

/** What is there already, as `create` takes it; otherwise what has to be uploaded first. */
const sorted = (source: TranscribeSource): { readonly there: Source } | { readonly here: UploadSource } => {
  if (typeof source === "string" || source instanceof URL) {
    const address = String(source)
    if (WEB.test(address)) return { there: { url: address } }
    if (OTHER_ADDRESS.test(address))
      throw new InputError({ message: `${address}: only http and https addresses can be transcribed` })
    return MEDIA_REF.test(address) ? { there: { media_ref: address } } : { here: source }
  }
  // Plain JavaScript is not held to types.
  const isSomething = typeof source === "object" && source !== null
  if (!isSomething) throw new InputError({ message: "Name what to transcribe: an address, a file or bytes" })
  return isBytes(source) ? { here: source } : { there: source }
}

const isBytes = (
  source: Exclude<TranscribeSource, string | URL>,
): source is Exclude<UploadSource, string | URL> =>
  source instanceof Blob ||
  source instanceof Uint8Array ||
  source instanceof ReadableStream ||
  Symbol.asyncIterator in source

export const transcribe = async (
  transport: Transport,
  source: TranscribeSource,
  wanted: TranscribeOptions,
  call: TranscribeCallOptions,
): Promise<DoneTranscription> => {
  const { signal, retries, idempotencyKey: key, filename, contentType, bytes, onUpload } = call
  const options: RepeatableOptions = { signal, retries }
  const found = sorted(source)
  const place = async (): Promise<Source> => {
    if ("there" in found) return found.there
    const { media_ref } = await upload(transport, found.here, {
      ...options,
      filename,
      contentType,
      bytes,
      onProgress: onUpload,
      // A key is good for one request.
      idempotencyKey: key === undefined ? undefined : `${key}-upload`,
    })
    return { media_ref }
  }
  const { id } = await callsOf(transport, "transcriptions").create(
    { ...wanted, ...(await place()) },
    { ...options, idempotencyKey: key },
  )
  const ended = await waitFor(transport, id, call)
  if (ended.status === "failed") throw new TranscriptionFailed(ended)
  return ended
}
