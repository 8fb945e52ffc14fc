/** The work, done by a server. */
import { realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import type {
  CreateTranscription,
  DoneTranscription,
  EarmarkClient,
  EndedTranscription,
  Episode,
  QueuedTranscription,
} from "@earmark/api/client"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import { fileTitle, parseUploadRef } from "@earmark/core/links"
import { FoundOnce } from "@earmark/service"
import { Clock, Effect, Runtime, Schema } from "effect"
import type { Explain } from "../Problem.js"
import { SourceFailed } from "../SourceFailed.js"
import { isAddress } from "../sources/named.js"
import { stateOf } from "../state/fileStates.js"
import { hashOf, readRecord, removeRecord, writeRecord } from "../state/stateFiles.js"
import { keepInput } from "./keepInput.js"
import { identityOfJob, reachedBy, wishOf } from "./served.js"
import { type Ask, servedResult } from "./servedResult.js"
import {
  type Changed,
  type Following,
  type Found,
  type Made,
  NOTHING_SAID,
  type Show,
  type Source,
  type Workplace,
} from "./Workplace.js"

const Kept = Schema.Struct({ id: Schema.String })

/** What a transcription is made of, once it is at the server. */
type Origin = Pick<CreateTranscription, "url" | "media_ref" | "episode_guid" | "episode_index">

/** A source before that: a file still has to be moved there. */
type Place =
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "there"; readonly origin: Origin }

const MINUTE = 60

/** Codes of failures that the media at an address is to blame for. */
const SOURCE = /^source_/

interface RequestFailure {
  readonly code: string
  readonly message: string
}

/** Errors of the client have a code; any other is a bug. */
const failureOf = (error: unknown): RequestFailure => {
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return { code: error.code, message: error.message }
  throw error
}

/** Null where nothing can be said of it. */
const sizeOf = (path: string): Effect.Effect<number | null> =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map(({ size }) => size),
    Effect.orElseSucceed(() => null),
  )

export interface ServerWorkplaceOptions {
  readonly client: EarmarkClient
  /** The address of the server: jobs of another one are others. */
  readonly baseUrl: string
  /** Where it is kept which job is made of what. */
  readonly folder: string
  /** What a request failed with; what is no failure of a request may be thrown. */
  readonly explainError?: (error: unknown) => RequestFailure
  /** What an upload was called when it was moved there; null when that is not known. */
  readonly uploadName?: (reference: string) => Effect.Effect<string | null>
  /** How long a file of this machine is, in seconds; null when that is not known. */
  readonly fileLength?: (path: string) => Effect.Effect<number | null>
  readonly explain: Explain
}

export const makeServerWorkplace = (options: ServerWorkplaceOptions): Workplace => {
  const { client, baseUrl, folder, explain } = options
  const { explainError = failureOf, uploadName = () => Effect.succeed(null) } = options
  const { fileLength = () => Effect.succeed(null) } = options

  const ask: Ask = (work) =>
    Effect.tryPromise({ try: work, catch: (error) => new SourceFailed(explainError(error)) })

  /** Moves a file there, and tells how far that is. */
  const moved = (place: Place, { line }: Following) =>
    Effect.gen(function* () {
      if (place.type === "there") return place.origin
      if ((yield* sizeOf(place.path)) === 0)
        return yield* new SourceFailed({ code: "empty_media", message: "The file is empty; fetch it again." })
      yield* line.phase("uploading")
      const { media_ref } = yield* ask((signal) => client.upload(place.path, { signal }))
      return { media_ref }
    })

  /** The length, and what a link turns out to be, as far as that can be told without listening. */
  const look = (place: Place, options: OptionsSnapshot, retries?: number) => {
    if (place.type === "file")
      return Effect.map(fileLength(place.path), (seconds) => ({ seconds, keys: null, isCached: false }))
    // Older servers tell the minutes alone, and of a part only its own.
    const isWhole = options.startAt === null && options.endAt === null
    return Effect.map(
      ask((signal) => client.credits.quote({ ...wishOf(options), ...place.origin }, { signal, retries })),
      ({ title = null, source = null, minutes, duration_seconds: seconds, cached = false }) => ({
        seconds: seconds ?? (minutes === null || !isWhole ? null : minutes * MINUTE),
        keys: null,
        isCached: cached,
        ...(source !== null && { identity: identityOfJob({ title, source }) }),
      }),
    )
  }

  let isTooMany = false

  /** Where a feed tells the length, a quote only adds what the server has already: a long list is not held up for that. */
  const lookKnowing = (seconds: number, place: Place, options: OptionsSnapshot) =>
    Effect.suspend(() => (isTooMany ? Effect.succeed({ isCached: false }) : look(place, options, 0))).pipe(
      Effect.catchAll(({ code }) =>
        Effect.sync(() => {
          isTooMany ||= code === "rate_limited"
          return { isCached: false }
        }),
      ),
      Effect.map(({ isCached }) => ({ seconds, keys: null, isCached })),
    )

  /** Begins the work, or finds what an earlier run has begun. */
  const begun = (
    path: string,
    place: Place,
    options: OptionsSnapshot,
    title: string | null,
    following: Following,
  ) =>
    Effect.gen(function* () {
      const kept = yield* readRecord(path, Kept)
      if (kept !== null) {
        const job = yield* Effect.option(ask((signal) => client.transcriptions.get(kept.id, {}, { signal })))
        if (job._tag === "Some" && job.value.status !== "failed") {
          yield* following.line.notice({
            type: "job_resumed",
            source: following.line.name,
            job: kept.id,
          })
          const seconds = place.type === "file" ? yield* fileLength(place.path) : null
          return { id: kept.id, seconds, joined: job.value }
        }
      }
      const { seconds, isCached } = yield* look(place, options)
      // What a server has already costs nothing, whatever its length.
      if (!isCached) yield* following.allow(seconds, true)
      const origin = yield* moved(place, following)
      const { id } = yield* ask((signal) =>
        client.transcriptions.create(
          { ...wishOf(options), ...origin, title: title ?? undefined },
          { signal },
        ),
      )
      yield* writeRecord(path, { id })
      return { id, seconds, joined: null }
    })

  /** Waits for the end, and tells how far it is. */
  const followed = (
    { id, seconds, joined }: Effect.Effect.Success<ReturnType<typeof begun>>,
    options: OptionsSnapshot,
    { line }: Following,
  ) =>
    Effect.gen(function* () {
      const started = yield* Clock.currentTimeMillis
      // What an earlier run saw done says nothing about how fast it goes now.
      const before = joined?.progress ?? 0
      const runtime = yield* Effect.runtime<never>()
      const tell = (job: QueuedTranscription) =>
        Effect.gen(function* () {
          yield* line.phase(job.phase)
          const { progress: share } = job
          if (share === 0) return
          const took = ((yield* Clock.currentTimeMillis) - started) / 1000
          yield* line.progress({
            heardSeconds: reachedBy({ share, seconds: job.duration_seconds ?? seconds }, options),
            share,
            secondsLeft: share > before ? (took * (1 - share)) / (share - before) : null,
          })
        })
      if (joined?.status === "queued") yield* tell(joined)
      return yield* ask((signal) =>
        client.waitFor(id, { signal, onProgress: (job) => void Runtime.runFork(runtime)(tell(job)) }),
      )
    })

  const tellLeft = (id: string, { line }: Following) =>
    Effect.zipRight(line.end, line.notice({ type: "job_left", source: line.name, job: id, baseUrl }))

  const made = (job: DoneTranscription, path: string): Made =>
    servedResult(job, { client, ask, settled: removeRecord(path) })

  const ended = (job: EndedTranscription, path: string, address: string | null) => {
    if (job.status === "done") return Effect.succeed(made(job, path))
    const { code } = job.failure
    const message = address !== null && SOURCE.test(code) ? `${address}: ${job.error}` : job.error
    return Effect.zipRight(removeRecord(path), new SourceFailed({ code, message }))
  }

  const transcribe =
    (place: Place, facts: Pick<Found, "identity" | "state" | "title" | "mediaUrl">): Found["transcribe"] =>
    (options, following) => {
      const { identity, state, title, mediaUrl } = facts
      const path = join(folder, hashOf(JSON.stringify([baseUrl, identity, state, options])))
      return Effect.gen(function* () {
        const work = yield* begun(path, place, options, title, following)
        const job = yield* followed(work, options, following).pipe(
          Effect.onInterrupt(() => tellLeft(work.id, following)),
        )
        if (place.type === "there") following.identified(identityOfJob(job))
        return yield* ended(job, path, mediaUrl)
      })
    }

  const found = (place: Place, facts: Omit<Found, "look" | "transcribe">): Found => ({
    ...facts,
    look: (options) =>
      facts.seconds === null ? look(place, options) : lookKnowing(facts.seconds, place, options),
    transcribe: transcribe(place, facts),
  })

  const originOf = (link: string, episode: (Source & { readonly type: "link" })["episode"]): Origin => {
    if (parseUploadRef(link) !== undefined) return { media_ref: link }
    if (episode === null) return { url: link }
    return "guid" in episode
      ? { url: link, episode_guid: episode.guid }
      : { url: link, episode_index: episode.index }
  }

  const find = Effect.fnUntraced(function* (source: Source) {
    switch (source.type) {
      case "link": {
        const origin = originOf(source.link, source.episode)
        const identity = JSON.stringify(origin)
        const name = yield* uploadName(source.link)
        const title = name === null ? null : fileTitle(name)
        return found({ type: "there", origin }, { ...NOTHING_SAID, title, identity, state: "" })
      }
      case "input": {
        const { path, digest } = yield* keepInput(source.path, explain)
        return found({ type: "file", path }, { ...NOTHING_SAID, identity: `input ${digest}`, state: "" })
      }
      case "file": {
        const { path } = source
        const identity = yield* Effect.tryPromise(() => realpath(path)).pipe(Effect.orElseSucceed(() => path))
        const state = (yield* stateOf(path)) ?? ""
        return found({ type: "file", path }, { ...NOTHING_SAID, title: fileTitle(path), identity, state })
      }
    }
  })

  const episodeOf = (feed: string, episode: Episode): Show["episodes"][number] => {
    const { guid, title, link, index, published_at, duration_seconds, transcripts, audio_url } = episode
    const origin = { url: feed, episode_guid: guid }
    const facts = {
      ...NOTHING_SAID,
      title,
      guid,
      link,
      mediaUrl: audio_url,
      publishedAt: published_at === null ? null : Date.parse(published_at),
      seconds: duration_seconds,
      hasText: transcripts.length > 0,
      identity: JSON.stringify(origin),
      state: "",
    }
    return { ...found({ type: "there", origin }, facts), guid, index }
  }

  const everyEpisode = async (feed: string, signal: AbortSignal) => {
    const all: Array<Episode> = []
    let title: string | null = null
    let cursor: string | undefined
    do {
      const page = await client.podcasts.episodes({ feed, limit: MOST_EPISODES, cursor }, { signal })
      all.push(...page.data)
      title ??= page.title ?? null
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return { title, all }
  }

  // A server reads the feed anew when it has to.
  const changed: Changed = { hasChanged: true, tags: { etag: null, lastModified: null } }

  const feedIsFile = new SourceFailed({
    code: "invalid_request",
    message: explain({ reason: "feed_is_file" }),
  })

  // Older servers do not say it, and some keys may not ask.
  const billing = ask((signal) => client.credits.get({ signal, retries: 0 })).pipe(
    Effect.match({ onFailure: () => true, onSuccess: ({ billing = true }) => billing }),
  )

  return {
    server: baseUrl,
    takesCredits: Effect.runSync(FoundOnce.one(billing)),
    find,
    show: (link) =>
      Effect.map(
        isAddress(link) ? ask((signal) => everyEpisode(link, signal)) : feedIsFile,
        ({ title, all }): Show => ({
          address: link,
          title,
          episodes: all.map((episode) => ({ ...episodeOf(link, episode), show: title })),
        }),
      ),
    changed: () => Effect.succeed(changed),
  }
}

const MOST_EPISODES = 200
