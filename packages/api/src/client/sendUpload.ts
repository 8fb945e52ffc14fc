/** Sends bytes to a signed address, in constant memory. */
import { ConnectionError, EarmarkError, InputError, TimeoutError } from "./errors.js"
import type { Platform } from "./Platform.js"
import { refusalOf } from "./readAnswer.js"
import { streamOf } from "./readBody.js"
import type { RepeatableOptions, Transport } from "./Transport.js"
import type { OpenedSource, UploadFacts } from "./UploadSource.js"

export interface UploadProgress {
  readonly sent: number
  readonly total: number
}

export interface UploadOptions extends UploadFacts, RepeatableOptions {
  /** Told after each piece that was taken. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /** Told the `media_ref` before the first byte is sent. Keep it to resume after a break. */
  readonly onStart?: ((mediaRef: string) => void) | undefined
  /** The `media_ref` of an upload of the same file that broke off. Only what is missing is sent; where nothing can be resumed, all of it. */
  readonly resume?: string | undefined
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

/** What one upload goes through: its bytes are watched, and it ends when nothing has moved for the time allowed. */
interface Passage {
  readonly url: string
  readonly source: OpenedSource
  readonly platform: Platform
  readonly signal: AbortSignal
  /** Bytes have come from the source. */
  readonly onRead: () => void
  /** Bytes have gone out. */
  readonly onSent: (sent: number) => void
  /** Ends the upload. */
  readonly onFailure: (error: unknown) => void
}

const sendStreamed = ({ url, source, platform, signal, onSent, onFailure }: Passage): Promise<Response> => {
  const watched = async function* () {
    try {
      yield* counted(source, onSent)
    } catch (error) {
      // The network would tell it as a failure of its own.
      onFailure(error)
      throw error
    }
  }
  return platform.fetch(url, {
    method: "PUT",
    headers: { "Content-Type": source.contentType, "Content-Length": String(source.bytes) },
    body: streamOf(watched()),
    duplex: "half",
    redirect: "manual",
    signal,
  })
}

/** A stream is gathered first: what cannot be streamed has to be there as a whole. */
const wholeOf = async ({ source, signal, onRead }: Passage): Promise<Blob> => {
  if (source.whole !== null) return source.whole()
  const parts: Array<Uint8Array> = []
  for await (const chunk of counted(source, onRead)) {
    signal.throwIfAborted()
    parts.push(chunk)
  }
  return new Blob(parts)
}

/** At the latest with the signal, also when the source hangs. */
const untilAborted = <Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })

const send = async (passage: Passage): Promise<Response> => {
  const { url, source, platform, signal, onSent, onFailure } = passage
  if (platform.sendWhole === null) return sendStreamed(passage)
  const body = await untilAborted(signal, wholeOf(passage)).catch((error: unknown) => {
    onFailure(error)
    throw error
  })
  return platform.sendWhole.send({ url, contentType: source.contentType, body, signal, onSent })
}

/** Where it cannot be seen how far an upload is, it may take as long as on a line of 128 kbit/s. */
const SLOWEST_BYTES_PER_MILLISECOND = 16

export const put = async (
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
  const isSeen = platform.sendWhole?.tellsProgress !== false
  const allowed = timeout + (isSeen ? 0 : source.bytes / SLOWEST_BYTES_PER_MILLISECOND)
  const silent = () =>
    end(new TimeoutError({ message: `The upload of ${source.filename} stood still for ${allowed} ms` }))
  let callOff = platform.later(allowed, silent)
  const moved = () => {
    callOff()
    callOff = platform.later(allowed, silent)
  }
  let latest = 0
  const onSent = (sent: number) => {
    if (sent <= latest) return
    latest = sent
    moved()
    onProgress?.({ sent, total: source.bytes })
  }
  const stop = () => end(signal?.reason)
  if (signal?.aborted === true) stop()
  signal?.addEventListener("abort", stop, { once: true })
  try {
    const passage = {
      url,
      source,
      platform,
      signal: controller.signal,
      onRead: moved,
      onSent,
      onFailure: end,
    }
    const answer = await send(passage)
    if (!answer.ok) throw await refusalOf(answer)
    return answer
  } catch (cause) {
    if (failure !== undefined) throw failure
    throw cause instanceof EarmarkError
      ? cause
      : new ConnectionError({
          message: `The upload of ${source.filename} broke off`,
          cause,
        })
  } finally {
    callOff()
    signal?.removeEventListener("abort", stop)
  }
}
