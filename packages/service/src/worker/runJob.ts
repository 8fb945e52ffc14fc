import type { OutOfCredits } from "@earmark/core/credits"
import type { AccountNotFound } from "@earmark/core/jobs"
import { Data, Effect, Layer, type Scope } from "effect"
import { Accounts } from "../ports/Accounts.js"
import { type Claimed, JobQueue, type LeaseLost } from "../ports/JobQueue.js"
import { JobStore } from "../ports/JobStore.js"
import type { Finished, JobSource, StoredJob } from "../ports/records.js"
import { type SourceRefused, SourceResolver } from "../ports/SourceResolver.js"
import { WorkFailed } from "../ports/Speech.js"
import type { StorageError } from "../ports/StorageError.js"
import * as Scripted from "../scripted/Scripted.js"
import type { Checkpoints } from "../transcribe/Checkpoints.js"
import {
  type Length,
  makeTranscribeSource,
  type Policy,
  type WorkPhase,
} from "../transcribe/transcribeSource.js"
import { cacheKeysOf, isShared, keysOfResult } from "../useCases/cacheKey.js"
import { findKnown } from "../useCases/knownResult.js"
import { heardSeconds, isTooLong, limitsOf, tooLongDetail } from "../useCases/limits.js"
import { creditsFor } from "../useCases/prices.js"
import { Reloads } from "../useCases/Reloads.js"
import { Secrets } from "../useCases/Secrets.js"
import { ServiceConfig } from "../useCases/ServiceConfig.js"
import { keepSource } from "../useCases/Sources.js"
import { openSource, sealSource } from "../useCases/sealedSources.js"
import { makeRecordings } from "./recordings.js"
import { steady } from "./steady.js"
import { WorkerConfig } from "./WorkerConfig.js"

/** Everything that can end an attempt but success. */
export type AttemptFailed = WorkFailed | SourceRefused | LeaseLost | StorageError

/** How an attempt came to its end; each way is written down already. */
export type AttemptEnd = "done" | "parked" | "released"

/** A job's account is never taken away: only the store can fail here, and that is no fault of the job. */
const known = <A>(asked: Effect.Effect<A, AccountNotFound | StorageError>): Effect.Effect<A, StorageError> =>
  steady(asked).pipe(Effect.catchTag("AccountNotFound", Effect.die))

/** The share of the whole progress that is behind a job when a phase begins, and the share of the hearing itself. */
const PROGRESS: Readonly<Record<WorkPhase, number>> = {
  fetching: 0,
  decoding: 0.02,
  transcribing: 0.05,
  diarizing: 0.92,
  enriching: 0.95,
  finalizing: 0.99,
}
const SHARE_OF_HEARING = 0.85

/** The attempt ended before there was a result, and that is written down already. */
class EndedEarly extends Data.TaggedError("EndedEarly")<{ readonly end: Exclude<AttemptEnd, "done"> }> {}

const SEALED =
  "The address of the media was sealed with another secrets key; put that key back, or ask again."

const untrimmed = { startAt: null, endAt: null } as const

/** One attempt at one job, through the ports. Every step can be repeated: after a crash the next attempt goes on from the last checkpoint. */
export const makeRunJob = Effect.gen(function* () {
  const queue = yield* JobQueue
  const jobs = yield* JobStore
  const accounts = yield* Accounts
  const resolver = yield* SourceResolver
  const reloads = yield* Reloads
  const config = yield* ServiceConfig
  const secrets = yield* Secrets
  const { windowTimeout, listeningCopy } = yield* WorkerConfig
  const recordings = yield* makeRecordings
  const scripted = yield* Layer.build(Scripted.staff)
  const live = yield* makeTranscribeSource({ windowTimeout })
  const rehearsing = yield* Effect.provide(makeTranscribeSource({ windowTimeout }), scripted)

  const priceOf = (
    { isTest }: StoredJob,
    durationSeconds: number,
    options: Parameters<typeof creditsFor>[1],
  ): number => (isTest ? 0 : creditsFor(durationSeconds, options, config))

  const report = ({ lease }: Claimed, phase: WorkPhase, progress = PROGRESS[phase]) =>
    steady(queue.report(lease, { phase, progress }))

  /** Spans are kept with the job: every one is fenced by the lease. */
  const checkpointsOf = (claimed: Claimed): Checkpoints<LeaseLost | StorageError> => ({
    load: (plan) => steady(queue.resume(claimed.lease, plan)),
    save: (span) => steady(queue.saveSpan(claimed.lease, span)),
    report: ({ share }) =>
      share === null
        ? Effect.void
        : report(claimed, "transcribing", PROGRESS.transcribing + SHARE_OF_HEARING * share),
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
    const keys = cacheKeysOf(claimed.job, live.makers)
    const cacheKeys = keys === null ? [] : keysOfResult(finished, keys)
    yield* steady(
      queue.complete(claimed.lease, finished, { cacheKeys, shared: isShared(source, claimed.job.options) }),
    )
    if (finished.origin === "engine") yield* recordings.settle(claimed.job)
    const end: AttemptEnd = "done"
    return end
  })

  /** What an earlier job made of the same source. */
  const knownSource = ({ job }: Claimed) =>
    Effect.map(steady(findKnown(jobs, job.account, job, live.makers)), (known) => {
      if (known === null) return null
      const { title: _, ...finished } = known.result
      return { finished, by: known.by }
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

  const maxSeconds = ({ job }: Claimed) =>
    Effect.map(known(accounts.get(job.account)), (account) => {
      const { maxMediaMinutes } = limitsOf(account, config)
      return maxMediaMinutes === null ? null : maxMediaMinutes * 60
    })

  /** Limits and price, as soon as the length is known: when the media are open, or else when they were heard. */
  const payFor = (claimed: Claimed) => {
    const { job } = claimed
    let held: number | null = null
    const admit = Effect.fnUntraced(function* (length: Length) {
      if (held !== null || length.stage === "found" || length.seconds === null) return
      yield* requireLength(claimed, length.seconds)
      const price =
        length.stage === "heard"
          ? priceOf(job, length.heardSeconds, { diarize: job.options.diarize, ...untrimmed })
          : priceOf(job, length.seconds, job.options)
      held = yield* hold(claimed, price, length.seconds)
      if (held === null) return yield* new EndedEarly({ end: "parked" })
    })
    // The price was fixed before; what turned out shorter, or without speakers, costs less.
    const credits = (heardSeconds: number, diarize: boolean) =>
      Math.min(held ?? 0, priceOf(job, heardSeconds, { diarize, ...untrimmed }))
    return { admit, credits }
  }

  /** For a job made with a test key no media are decoded. */
  const recordingOf = ({ job }: Claimed): Pick<Policy<never>, "recording"> => {
    if (job.isTest) return {}
    const auto = job.source.shown.kind === "upload" ? "inexact" : "always"
    const copy = { auto, on: "always", off: "never" } as const
    return {
      recording: { copy: copy[listeningCopy], keep: (recording) => recordings.keep(job, recording) },
    }
  }

  const policyOf = (
    claimed: Claimed,
    isStopping: () => boolean,
  ): Policy<EndedEarly | LeaseLost | StorageError> => ({
    checkpoints: checkpointsOf(claimed),
    phase: (phase) => report(claimed, phase),
    captions: config,
    maxSeconds: maxSeconds(claimed),
    knownSource: knownSource(claimed),
    ...payFor(claimed),
    ...recordingOf(claimed),
    stop: {
      isStopping,
      stopped: Effect.zipRight(steady(queue.release(claimed.lease)), new EndedEarly({ end: "released" })),
    },
  })

  const runJob = Effect.fn("Worker.runJob")(
    function* (
      taken: Claimed,
      isStopping: () => boolean,
    ): Effect.fn.Return<AttemptEnd, AttemptFailed | EndedEarly, Scope.Scope> {
      yield* report(taken, "fetching")
      const claimed = yield* locate(taken)
      const { source, options, durationSeconds, isTest } = claimed.job
      // For a job made with a test key nothing is asked that costs.
      const { transcribe } = isTest ? rehearsing : live
      const media = { type: "found", source, durationSeconds } as const
      const finished = yield* transcribe(media, options, policyOf(claimed, isStopping))
      if (finished.origin === "engine") yield* report(claimed, "finalizing")
      return yield* complete(claimed, source, finished)
    },
    Effect.catchTag("EndedEarly", ({ end }) => Effect.succeed<AttemptEnd>(end)),
  )

  return runJob
})
