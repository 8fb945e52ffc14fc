/** Moves media into the service, in constant memory. */
import { ConnectionError, EarmarkError, InputError, ProblemError, TimeoutError } from "./errors.js"
import { refusalOf } from "./readAnswer.js"
import { streamOf } from "./readBody.js"
import type { RepeatableOptions, Transport } from "./Transport.js"
import { type OpenedSource, openSource, type UploadFacts, type UploadSource } from "./UploadSource.js"

export interface UploadProgress {
  readonly sent: number
  readonly total: number
}

export interface UploadOptions extends UploadFacts, RepeatableOptions {
  /** Told after each piece that was taken. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
}

export interface Uploaded {
  /** What `transcriptions.create` takes, for 24 hours. */
  readonly media_ref: string
  readonly bytes: number
  readonly etag: string | null
}

/** Exactly the bytes that were announced: a source that turns out longer or shorter is not sent as another one. */
const counted = async function* ({ bytes, chunks, filename }: OpenedSource, onChunk: (sent: number) => void) {
  let sent = 0
  for await (const chunk of chunks()) {
    sent += chunk.length
    if (sent > bytes)
      throw new InputError({ message: `${filename} is longer than ${bytes} bytes: nothing was kept` })
    yield chunk
    onChunk(sent)
  }
  if (sent < bytes)
    throw new InputError({ message: `${filename} ended after ${sent} of ${bytes} bytes: nothing was kept` })
}

const put = async (
  transport: Transport,
  url: string,
  source: OpenedSource,
  { signal, timeout = transport.timeout, onProgress }: UploadOptions,
): Promise<Response> => {
  const { platform } = transport
  const controller = new AbortController()
  let failure: unknown
  const end = (error: unknown) => {
    failure ??= error
    controller.abort(error)
  }
  const silent = () =>
    end(new TimeoutError({ message: `The upload of ${source.filename} stood still for ${timeout} ms` }))
  let callOff = platform.later(timeout, silent)
  const stop = () => end(signal?.reason)
  if (signal?.aborted === true) stop()
  signal?.addEventListener("abort", stop, { once: true })

  const chunks = counted(source, (sent) => {
    callOff()
    callOff = platform.later(timeout, silent)
    onProgress?.({ sent, total: source.bytes })
  })
  const watched = async function* () {
    try {
      yield* chunks
    } catch (error) {
      end(error)
      throw error
    }
  }
  try {
    const answer = await platform.fetch(url, {
      method: "PUT",
      headers: { "Content-Type": source.contentType, "Content-Length": String(source.bytes) },
      body: streamOf(watched()),
      duplex: "half",
      redirect: "manual",
      signal: controller.signal,
    })
    if (!answer.ok) throw await refusalOf(answer)
    return answer
  } catch (cause) {
    if (failure !== undefined) throw failure
    throw cause instanceof EarmarkError
      ? cause
      : new ConnectionError({
          message: `The upload of ${source.filename} broke off: send it again from the start`,
          cause,
        })
  } finally {
    callOff()
    signal?.removeEventListener("abort", stop)
  }
}

/** Announces the media, then sends it. A send that breaks off is not repeated: it resumes nothing. */
export const upload = async (
  transport: Transport,
  given: UploadSource,
  options: UploadOptions = {},
): Promise<Uploaded> => {
  const source = await openSource(given, options)
  const { filename, contentType, bytes } = source
  const { media_ref, upload_url } = await transport.json("uploads.create", {
    body: { filename, content_type: contentType, bytes },
    options,
  })
  try {
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
