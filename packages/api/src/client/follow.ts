/** Stays with a job until it ends: by polls that wait, or by its events. */
import { AnswerError, ConnectionError, TimeoutError } from "./errors.js"
import { serverSentEvents } from "./eventStream.js"
import { type OperationFacts, operations } from "./operations.js"
import { type Platform, pause } from "./Platform.js"
import { chunksOf } from "./readBody.js"
import { pauseBefore } from "./retry.js"
import type { RequestOptions, Transport } from "./Transport.js"
import type { AccountEvent, EndedTranscription, Transcription, TranscriptionEvent } from "./types.js"
import type { QueuedTranscription, TranscriptionsGetQuery } from "./wire.js"

const LONGEST_POLL = 60
/** How long a poll waits where somebody wants to see progress. */
const WATCHED_POLL = 3
/** A service that restarts is away for some seconds. */
const POLL_RETRIES = 6
/** An answer that comes back sooner did not wait: a service that stops answers at once. */
const SHORTEST_ROUND = 1000

export interface WaitOptions {
  /** Milliseconds for the whole wait; as long as it takes when left out. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Sees the transcription after each look at it while it runs. */
  readonly onProgress?: ((transcription: QueuedTranscription) => void) | undefined
  /** `words`: with the times of single words. */
  readonly include?: "words" | undefined
  /** How often one look at it is tried again. */
  readonly retries?: number | undefined
}

/** Runs something with a signal that also ends when the time is over. */
const within = async <Value>(
  platform: Platform,
  timeout: number | undefined,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal | undefined) => Promise<Value>,
  late: () => TimeoutError,
): Promise<Value> => {
  if (timeout === undefined) return run(signal)
  const controller = new AbortController()
  const callOff = platform.later(timeout, () => controller.abort(late()))
  const stop = () => controller.abort(signal?.reason)
  if (signal?.aborted === true) stop()
  signal?.addEventListener("abort", stop, { once: true })
  try {
    return await run(controller.signal)
  } finally {
    callOff()
    signal?.removeEventListener("abort", stop)
  }
}

/** A transcription. With `wait` the answer may be held for so many seconds, which are no silence. */
export const getJob = (
  transport: Transport,
  id: string,
  query: TranscriptionsGetQuery = {},
  options?: RequestOptions,
): Promise<Transcription> =>
  transport.json(operations.transcriptions.get, {
    path: { id },
    query,
    options,
    held: (query.wait ?? 0) * 1000,
  })

/** The transcription once it is done or failed. */
export const waitFor = (
  transport: Transport,
  id: string,
  { timeout, signal: given, onProgress, include, retries = POLL_RETRIES }: WaitOptions = {},
): Promise<EndedTranscription> => {
  const { platform } = transport
  const wait = onProgress === undefined ? LONGEST_POLL : WATCHED_POLL
  const look = async (signal: AbortSignal | undefined) => {
    for (;;) {
      const began = platform.now()
      const job = await getJob(transport, id, { wait, include }, { signal, retries })
      if (job.status !== "queued") return job
      onProgress?.(job)
      const early = SHORTEST_ROUND - (platform.now() - began)
      if (early > 0) await pause(platform, early, signal)
    }
  }
  const late = () =>
    new TimeoutError({
      message: `${id} has not ended in ${timeout} ms; it goes on, and can be waited for again`,
    })
  return within(platform, timeout, given, look, late)
}

export interface FollowOptions extends RequestOptions {
  /** Goes on after this event instead of from the beginning. */
  readonly lastEventId?: string | undefined
  /** Called whenever something arrives, also when it is only a sign that the connection is good. */
  readonly onActivity?: (() => void) | undefined
}

/** Heartbeats come every fifteen seconds: three of them missing is a broken connection. */
const LONGEST_SILENCE = 45_000

const parsed = (data: string) => {
  try {
    return JSON.parse(data)
  } catch {
    throw new AnswerError({ message: `An event is no JSON: ${data.slice(0, 200)}`, status: 200 })
  }
}

const read = (type: string, id: string | undefined, data: string): TranscriptionEvent | undefined => {
  if (type !== "progress" && type !== "segment" && type !== "done" && type !== "failed") return undefined
  return { type, id, data: parsed(data) }
}

const readOfAccount = (type: string, id: string | undefined, data: string): AccountEvent | undefined =>
  type === "job" || type === "credits" || type === "missed" ? { type, id, data: parsed(data) } : undefined

/** The same chunks, with a call for each. */
const noticed = async function* (
  chunks: AsyncIterable<Uint8Array>,
  notice: FollowOptions["onActivity"],
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    notice?.()
    yield chunk
  }
}

/** A stream of events, until one is the last. A connection that breaks is made again where it broke. */
const stay = async function* <Event>(
  transport: Transport,
  asked: { readonly facts: OperationFacts; readonly path?: Readonly<Record<string, string>> },
  { lastEventId, onActivity, signal = transport.signal, timeout, retries = POLL_RETRIES }: FollowOptions,
  readEvent: (type: string, id: string | undefined, data: string) => Event | undefined,
  isLast: (event: Event) => boolean,
): AsyncGenerator<Event, void> {
  const { platform } = transport
  let last = lastEventId
  let failures = 0
  for (;;) {
    const began = platform.now()
    try {
      const opened = await transport.open(asked.facts, {
        ...(asked.path !== undefined && { path: asked.path }),
        headers: { Accept: "text/event-stream", ...(last !== undefined && { "Last-Event-ID": last }) },
        options: { signal, timeout, retries },
      })
      const chunks = chunksOf(opened, { platform, silence: LONGEST_SILENCE, signal })
      for await (const { data, event, id: eventId } of serverSentEvents(noticed(chunks, onActivity))) {
        last = eventId ?? last
        const told = readEvent(event, eventId, data)
        // Kinds that are not known yet are passed over.
        if (told === undefined) continue
        failures = 0
        yield told
        if (isLast(told)) return
      }
      throw new ConnectionError({ message: "The stream of events ended before its last event" })
    } catch (error) {
      const isBroken = error instanceof ConnectionError || error instanceof TimeoutError
      // A stream that was good for so long has not failed again, also when nothing happened.
      if (platform.now() - began > LONGEST_SILENCE) failures = 0
      if (!isBroken || failures >= retries) throw error
      await pause(platform, pauseBefore(error, failures, platform.random()), signal)
      failures += 1
    }
  }
}

/** What happens to a job, until it ends. */
export const follow = (
  transport: Transport,
  id: string,
  options: FollowOptions = {},
): AsyncGenerator<TranscriptionEvent, void> =>
  stay(
    transport,
    { facts: operations.transcriptions.events, path: { id } },
    options,
    read,
    ({ type }) => type === "done" || type === "failed",
  )

/** What happens in the account, without an end. */
export const followAll = (
  transport: Transport,
  options: FollowOptions = {},
): AsyncGenerator<AccountEvent, void> =>
  stay(transport, { facts: operations.transcriptions.eventsAll }, options, readOfAccount, () => false)
