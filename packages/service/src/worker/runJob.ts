import type { OutOfCredits } from "@earmark/core/credits"
import { type AccountNotFound, type Warning, warningOf } from "@earmark/core/jobs"
import { assemble, type Transcript, type Turn } from "@earmark/core/transcripts"
import { Effect, Layer, type Scope } from "effect"
import { Accounts } from "../ports/Accounts.js"
import { type Claimed, JobQueue, type LeaseLost } from "../ports/JobQueue.js"
import { JobStore } from "../ports/JobStore.js"
import type { Finished, JobSource, StoredJob } from "../ports/records.js"
import { type SourceRefused, SourceResolver } from "../ports/SourceResolver.js"
import { Diarizer, type Media, MediaDecoder, Translator, WorkFailed, Writer } from "../ports/Speech.js"
import type { StorageError } from "../ports/StorageError.js"
import * as Scripted from "../scripted/Scripted.js"
import { ALIGNED_WINDOWS } from "../transcribe/alignText.js"
import type { Checkpoints } from "../transcribe/Checkpoints.js"
import { makeHearText } from "../transcribe/hearText.js"
import { mediaLength } from "../transcribe/mediaLength.js"
import { noWords } from "../transcribe/noWords.js"
import { type Heard, makeTranscriber } from "../transcribe/Transcriber.js"
import { distinct } from "../transcribe/warnings.js"
import { windowsOf } from "../transcribe/windowsOf.js"
import { ALIGNER, cacheKeysOf, isReusable, isShared } from "../useCases/cacheKey.js"
import { type CaptionSearch, searchCaptions, searchSubtitles } from "../useCases/captionBacked.js"
import { finish, finishHeard } from "../useCases/finishing.js"
import { findKnown } from "../useCases/knownResult.js"
import { heardSeconds, isTooLong, limitsOf, tooLongDetail } from "../useCases/limits.js"
import { creditsFor } from "../useCases/prices.js"
import { Reloads } from "../useCases/Reloads.js"
import { Secrets } from "../useCases/Secrets.js"
import { ServiceConfig } from "../useCases/ServiceConfig.js"
import { keepSource } from "../useCases/Sources.js"
import { openSource, sealSource } from "../useCases/sealedSources.js"
import { steady } from "./steady.js"
import { WorkerConfig } from "./WorkerConfig.js"

/** Everything that can end an attempt but success. */
export type AttemptFailed = WorkFailed | SourceRefused | LeaseLost | StorageError

/** How an attempt came to its end; each way is written down already. */
export type AttemptEnd = "done" | "parked" | "released"

/** A job's account is never taken away: only the store can fail here, and that is no fault of the job. */
const known = <A>(asked: Effect.Effect<A, AccountNotFound | StorageError>): Effect.Effect<A, StorageError> =>
  steady(asked).pipe(Effect.catchTag("AccountNotFound", Effect.die))

/** Of the whole progress of a job: what lies before the hearing, and the hearing itself. */
const SHARE_BEFORE = 0.05
const SHARE_OF_HEARING = 0.85

const SEALED =
  "The address of the media was sealed with another secrets key; put that key back, or ask again."

const untrimmed = { startAt: null, endAt: null } as const

/** Who listens, tells speakers apart, writes and translates. */
const makeStaff = Effect.gen(function* () {
  const { windowTimeout } = yield* WorkerConfig
  const { transcribe, engine } = yield* makeTranscriber({ windowTimeout })
  const diarizer = yield* Diarizer
  const hearText = yield* makeHearText
  return { transcribe, hearText, engine, diarizer, writer: yield* Writer, translator: yield* Translator }
})

/** One attempt at one job, through the ports. Every step can be repeated: after a crash the next attempt goes on from the last checkpoint. */
export const makeRunJob = Effect.gen(function* () {
  const queue = yield* JobQueue
  const jobs = yield* JobStore
  const accounts = yield* Accounts
  const resolver = yield* SourceResolver
  const decoder = yield* MediaDecoder
  const reloads = yield* Reloads
  const config = yield* ServiceConfig
  const secrets = yield* Secrets
  const live = yield* makeStaff
  const scripted = yield* Layer.build(Scripted.staff)
  const rehearsing = yield* Effect.provide(makeStaff, scripted)

  /** Who works on a job: for one made with a test key nothing is asked that costs. */
  const staffFor = ({ isTest }: StoredJob) => (isTest ? rehearsing : live)

  const priceOf = (
    { isTest }: StoredJob,
    durationSeconds: number,
    options: Parameters<typeof creditsFor>[1],
  ): number => (isTest ? 0 : creditsFor(durationSeconds, options, config))

  const report = ({ lease }: Claimed, phase: Parameters<typeof queue.report>[1]["phase"], progress: number) =>
    steady(queue.report(lease, { phase, progress }))

  /** Spans are kept with the job: every one is fenced by the lease. */
  const checkpointsOf = (claimed: Claimed): Checkpoints<LeaseLost | StorageError> => ({
    load: (plan) => steady(queue.resume(claimed.lease, plan)),
    save: (span) => steady(queue.saveSpan(claimed.lease, span)),
    report: ({ share }) =>
      share === null ? Effect.void : report(claimed, "transcribing", SHARE_BEFORE + SHARE_OF_HEARING * share),
  })

  /**
   * The job with the address of its media. What could not be resolved when the job was made is asked for again, and kept, so that no later
   * attempt finds another episode.
   */
  const locate = Effect.fnUntraced(function* ({ lease, job: stored }: Claimed) {
    const source = yield* openSource(stored.source, stored.account, secrets).pipe(
      Effect.mapError(() => new WorkFailed({ code: "internal_error", isTransient: false, detail: SEALED })),
    )
    const job = { ...stored, source }
    const asked = source.facts?.asked
    if (asked === undefined || asked === null || source.mediaUrl !== null) return { lease, job }
    const resolved = yield* resolver.resolve(asked)
    const found = keepSource(resolved, source.link ?? resolved.mediaUrl)
    const kept = { ...found, source: yield* sealSource(found.source, job.account, secrets) }
    return { lease, job: { ...(yield* steady(queue.describe(lease, kept))), source: found.source } }
  })

  const complete = Effect.fnUntraced(function* (claimed: Claimed, source: JobSource, finished: Finished) {
    const keys = isReusable(finished) ? cacheKeysOf(claimed.job, live) : null
    const cacheKey = keys?.whole ?? null
    yield* steady(
      queue.complete(claimed.lease, finished, { cacheKey, shared: isShared(source, claimed.job.options) }),
    )
    const end: AttemptEnd = "done"
    return end
  })

  /** Captions of the source, or inside the media, cost nothing. */
  const finishCaptions = (
    job: StoredJob,
    transcript: Transcript,
    found: Pick<CaptionSearch, "speakerNames" | "warnings">,
  ) => {
    const made = { transcript, options: job.options, engine: null, detectedLanguage: null, voice: null }
    return finish({ ...made, ...found, origin: "captions", credits: 0 }, staffFor(job))
  }

  /** A result that costs nothing: made before, or written by the publisher. */
  const findReady = Effect.fnUntraced(function* ({ job }: Claimed, source: JobSource) {
    const known = yield* steady(findKnown(jobs, job.account, job, live))
    if (known !== null) {
      const { title: _, ...result } = known.result
      const finished = known.by === "whole" ? result : yield* finishHeard(result, job.options, staffFor(job))
      return { finished, warnings: [] }
    }
    const asked = { source, options: job.options, durationSeconds: job.durationSeconds }
    const { transcript, ...found } = yield* searchCaptions(asked, resolver, config)
    if (transcript === null) return { finished: null, warnings: found.warnings }
    return { finished: yield* finishCaptions(job, transcript, found), warnings: found.warnings }
  })

  const requireLength = Effect.fnUntraced(function* ({ job }: Claimed, durationSeconds: number) {
    const account = yield* known(accounts.get(job.account))
    const limits = limitsOf(account, config)
    if (isTooLong(heardSeconds(durationSeconds, job.options), limits)) {
      const detail = `${tooLongDetail(limits)}.`
      return yield* new WorkFailed({ code: "media_too_long", isTransient: false, detail })
    }
  })

  /** Sets the hold to the price; null when the job has to wait for credits, and was parked. */
  const hold = Effect.fnUntraced(function* (claimed: Claimed, credits: number, seconds: number) {
    const { lease, job } = claimed
    const facts = { credits, durationSeconds: Math.round(seconds) }
    if (credits === 0) return credits
    const raise = steady(queue.raiseHold(lease, facts))
    const buy = (refused: OutOfCredits) =>
      Effect.flatMap(known(reloads.consider(job.account)), (bought) =>
        bought ? raise : Effect.fail(refused),
      )
    const raised = yield* raise.pipe(
      Effect.catchTag("OutOfCredits", buy),
      Effect.as(true),
      Effect.catchTag("OutOfCredits", () => Effect.succeed(false)),
    )
    if (raised) return credits
    yield* steady(queue.park(lease, facts))
    // Credits may have come between the refusal and the parking.
    yield* steady(queue.wakeAccount(job.account))
    return null
  })

  /** Who speaks when; nobody knows when it cannot be found out. */
  const findSpeakers = Effect.fnUntraced(function* (claimed: Claimed, heard: Heard) {
    const none: ReadonlyArray<Turn> = []
    if (!claimed.job.options.diarize) return { turns: none, warnings: [] }
    yield* report(claimed, "diarizing", 0.92)
    const turns = yield* heard.turns
    return turns === null
      ? { turns: none, warnings: [warningOf("diarization_failed")] }
      : { turns, warnings: [] }
  })

  const openMedia = Effect.fnUntraced(function* ({ job }: Claimed, source: JobSource) {
    const { startAt, endAt, language, transcriptText } = job.options
    const { maxMediaMinutes } = limitsOf(yield* known(accounts.get(job.account)), config)
    return yield* decoder.open(source, {
      startAt,
      endAt,
      language,
      windows: transcriptText === undefined ? windowsOf(staffFor(job).engine, job.options) : ALIGNED_WINDOWS,
      maxSeconds: maxMediaMinutes === null ? null : maxMediaMinutes * 60,
    })
  })

  interface Listened {
    readonly credits: number
    readonly transcript: Transcript
    readonly detectedLanguage: Finished["detectedLanguage"]
    readonly voice: Heard["voice"]
    readonly lost: Heard["lost"]
    readonly windows: Heard["windows"]
    readonly timing: Heard["timing"]
    readonly warnings: ReadonlyArray<Warning>
  }

  /** Listens to the media. Answers how the attempt ended when it was not heard to its end. */
  const listen = Effect.fnUntraced(function* (
    claimed: Claimed,
    media: Media,
    isStopping: () => boolean,
  ): Effect.fn.Return<Listened | "parked" | "released", AttemptFailed, Scope.Scope> {
    const { lease, job } = claimed
    const { options } = job
    const { transcribe, hearText } = staffFor(job)
    const announced = media.durationSeconds
    let held: number | null = null
    if (announced !== null) {
      yield* requireLength(claimed, announced)
      held = yield* hold(claimed, priceOf(job, announced, options), announced)
      if (held === null) return "parked"
    }
    yield* report(claimed, "transcribing", SHARE_BEFORE)
    const checkpoints = checkpointsOf(claimed)
    const heard =
      options.transcriptText === undefined
        ? yield* transcribe(media, options, checkpoints, { isStopping })
        : yield* hearText(media, options.transcriptText, options, checkpoints.report, isStopping)
    if (!heard.complete) {
      yield* steady(queue.release(lease))
      return "released"
    }
    if (heard.words.length === 0) return yield* noWords(heard)
    const durationSeconds = mediaLength(announced, heard, options)
    const price = (diarize: boolean) => priceOf(job, heard.durationSeconds, { diarize, ...untrimmed })
    if (held === null) {
      yield* requireLength(claimed, durationSeconds)
      held = yield* hold(claimed, price(options.diarize), durationSeconds)
      if (held === null) return "parked"
    }
    const { turns, warnings } = yield* findSpeakers(claimed, heard)
    return {
      // The price was fixed before; what turned out shorter, or without speakers, costs less.
      credits: Math.min(held, price(options.diarize && warnings.length === 0)),
      transcript: assemble({
        language: heard.language,
        duration: durationSeconds * 1000,
        words: heard.words,
        turns,
      }),
      detectedLanguage: heard.detectedLanguage,
      voice: heard.voice,
      lost: heard.lost,
      windows: heard.windows,
      timing: heard.timing,
      warnings: [...heard.warnings, ...warnings],
    }
  })

  const runJob = Effect.fn("Worker.runJob")(function* (
    taken: Claimed,
    isStopping: () => boolean,
  ): Effect.fn.Return<AttemptEnd, AttemptFailed, Scope.Scope> {
    yield* report(taken, "fetching", 0)
    const claimed = yield* locate(taken)
    const { source, options } = claimed.job
    const ready = yield* findReady(claimed, source)
    if (ready.finished !== null) return yield* complete(claimed, source, ready.finished)
    yield* report(claimed, "decoding", 0.02)
    const media = yield* openMedia(claimed, source)
    const inside = yield* searchSubtitles(media, options, config)
    if (inside.transcript !== null) {
      const warnings = distinct([...ready.warnings, ...inside.warnings])
      const { transcript, speakerNames } = inside
      const finished = yield* finishCaptions(claimed.job, transcript, { speakerNames, warnings })
      return yield* complete(claimed, source, finished)
    }
    const listened = yield* listen(claimed, media, isStopping)
    if (typeof listened === "string") return listened
    yield* report(claimed, "enriching", 0.95)
    const staff = staffFor(claimed.job)
    const finished = yield* finish(
      {
        ...listened,
        options,
        origin: "engine",
        engine: options.transcriptText === undefined ? staff.engine.capabilities.id : ALIGNER,
        warnings: distinct([...ready.warnings, ...inside.warnings, ...listened.warnings]),
      },
      staff,
    )
    yield* report(claimed, "finalizing", 0.99)
    return yield* complete(claimed, source, finished)
  })

  return runJob
})
