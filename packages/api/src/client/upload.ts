/** Moves media into the service, in constant memory. */
import { callsOf } from "./calls.js"
import { ProblemError } from "./errors.js"
import { put, type Uploaded, type UploadOptions } from "./sendUpload.js"
import type { Transport } from "./Transport.js"
import { openSource, type UploadSource } from "./UploadSource.js"
import { uploadInParts } from "./uploadInParts.js"

/** Announces the media, then sends it: a large file in parts, which are tried again after a break, everything else once. */
export const upload = async (
  transport: Transport,
  given: UploadSource,
  options: UploadOptions = {},
): Promise<Uploaded> => {
  const source = await openSource(given, options)
  const sent = await uploadInParts(transport, source, options)
  if (sent !== null) return sent
  const { filename, contentType, bytes } = source
  const { media_ref, upload_url } = await callsOf(transport, "uploads").create(
    { filename, content_type: contentType, bytes },
    options,
  )
  try {
    options.onStart?.(media_ref)
    const answer = await put(transport, upload_url, source, options)
    return { media_ref, bytes, etag: answer.headers.get("etag") }
  } catch (error) {
    // Under a key of the caller the address may be one that has its bytes since an earlier call.
    const isThere =
      options.idempotencyKey !== undefined && error instanceof ProblemError && error.status === 409
    if (!isThere) throw error
    return { media_ref, bytes, etag: null }
  }
}
