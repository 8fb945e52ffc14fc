/** Sends a file in parts, so that a broken connection costs one part and not all that was sent. */
import { callsOf } from "./calls.js"
import { AnswerError, ProblemError } from "./errors.js"
import { pause } from "./Platform.js"
import { canRetry, pauseBefore } from "./retry.js"
import { put, type Uploaded, type UploadOptions } from "./sendUpload.js"
import type { Transport } from "./Transport.js"
import type { OpenedSource } from "./UploadSource.js"
import type { UploadPart, UploadParts } from "./wire.js"

/** Smaller files are sent whole: they are soon sent again. */
const IN_PARTS_ABOVE = 16 * 1024 * 1024
/** About a minute of pauses. */
const TRIES = 12

/** The slowest disk that joining waits for. */
const JOINED_BYTES_PER_MILLISECOND = 16_384

type Slice = NonNullable<OpenedSource["slice"]>

const isRefused = (error: unknown, status: number): boolean =>
  (error instanceof ProblemError || error instanceof AnswerError) && error.status === status

const partSource = ({ bytes }: UploadPart, filename: string, body: Blob): OpenedSource => ({
  filename,
  contentType: "application/octet-stream",
  bytes,
  chunks: async function* () {
    yield new Uint8Array(await body.arrayBuffer())
  },
  whole: () => body,
  slice: null,
})

/** All of it does the same when it is done again, so it is tried again until the connection is back. */
const persistently = async <Value>(
  { platform }: Transport,
  { signal }: UploadOptions,
  run: () => Promise<Value>,
): Promise<Value> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt + 1 >= TRIES || !canRetry(error, true)) throw error
      await pause(platform, pauseBefore(error, attempt, platform.random()), signal)
    }
  }
}

const sendPart = async (
  transport: Transport,
  part: UploadPart,
  source: OpenedSource,
  options: UploadOptions,
): Promise<void> => {
  try {
    await persistently(transport, options, () => put(transport, part.upload_url, source, options))
  } catch (error) {
    // 409: it has arrived, and the answer was lost.
    if (!isRefused(error, 409)) throw error
  }
}

/** Where the parts go, and which have arrived. */
const partsOf = (transport: Transport, media_ref: string, options: UploadOptions) => {
  const { idempotencyKey: _, ...request } = options
  return persistently(transport, options, () => callsOf(transport, "uploads").parts({ media_ref }, request))
}

/** The parts of an upload that began earlier; null where it is gone, or is another file. */
const earlier = async (transport: Transport, { bytes }: OpenedSource, options: UploadOptions) => {
  if (options.resume === undefined) return null
  try {
    const found = await partsOf(transport, options.resume, options)
    return found.parts.reduce((sum, part) => sum + part.bytes, 0) === bytes ? found : null
  } catch (error) {
    if (error instanceof ProblemError && error.code === "media_ref_unknown") return null
    throw error
  }
}

const begin = async (
  transport: Transport,
  { filename, contentType, bytes }: OpenedSource,
  options: UploadOptions,
): Promise<UploadParts> => {
  const uploads = callsOf(transport, "uploads")
  const { media_ref } = await uploads.create({ filename, content_type: contentType, bytes }, options)
  return partsOf(transport, media_ref, options)
}

const sendMissing = async (
  transport: Transport,
  { parts }: UploadParts,
  { filename, bytes: total }: OpenedSource,
  slice: Slice,
  options: UploadOptions,
): Promise<void> => {
  let from = 0
  let sent = parts.reduce((sum, part) => sum + (part.is_received ? part.bytes : 0), 0)
  if (sent > 0) options.onProgress?.({ sent, total })
  for (const part of parts) {
    const to = from + part.bytes
    if (!part.is_received) {
      const source = partSource(part, filename, await slice(from, to))
      const before = sent
      let most = 0
      const onProgress = ({ sent: ofPart }: { readonly sent: number }) => {
        // What is sent again after a break was counted before.
        if (ofPart <= most) return
        most = ofPart
        options.onProgress?.({ sent: before + ofPart, total })
      }
      await sendPart(transport, part, source, { ...options, onProgress })
      sent += part.bytes
    }
    from = to
  }
}

/** Sends what is missing, at new addresses when those that were given out end meanwhile. */
const sendAll = async (
  transport: Transport,
  listed: UploadParts,
  source: OpenedSource,
  slice: Slice,
  options: UploadOptions,
): Promise<void> => {
  const { platform } = transport
  const since = platform.now()
  try {
    await sendMissing(transport, listed, source, slice, options)
  } catch (error) {
    const isOver = platform.now() - since >= listed.expires_in * 1000
    if (!isOver || !(error instanceof ProblemError || error instanceof AnswerError)) throw error
    await sendAll(transport, await partsOf(transport, listed.media_ref, options), source, slice, options)
  }
}

/** Null where the file is to be sent whole: it is small, comes as a stream, or the server knows of no parts. */
export const uploadInParts = async (
  transport: Transport,
  source: OpenedSource,
  options: UploadOptions,
): Promise<Uploaded | null> => {
  const { slice, bytes } = source
  if (slice === null || bytes <= IN_PARTS_ABOVE) return null
  const { idempotencyKey: _, ...request } = options
  try {
    const found = (await earlier(transport, source, options)) ?? (await begin(transport, source, options))
    const { media_ref } = found
    options.onStart?.(media_ref)
    await sendAll(transport, found, source, slice, request)
    const timeout = (options.timeout ?? transport.timeout) + bytes / JOINED_BYTES_PER_MILLISECOND
    await persistently(transport, options, () =>
      callsOf(transport, "uploads").complete({ media_ref }, { ...request, timeout }),
    )
    return { media_ref, bytes, etag: null }
  } catch (error) {
    if (isRefused(error, 404)) return null
    throw error
  }
}
