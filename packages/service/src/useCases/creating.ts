import type { OutOfCredits } from "@earmark/core/credits"
import { type AccountId, effectiveOptions, type OptionsSnapshot } from "@earmark/core/jobs"
import { type Account, Acknowledgement, acknowledge, type CreateTranscription } from "@earmark/core/wire"
import { Clock, Effect, Fiber } from "effect"
import { tracedFn, withTrace } from "../observing/traces.js"
import { Accounts } from "../ports/Accounts.js"
import { type Guard, JobStore, type NewJob } from "../ports/JobStore.js"
import type { Finished } from "../ports/records.js"
import { SourceResolver } from "../ports/SourceResolver.js"
import { Diarizer, SpeechEngine, Translator, Writer } from "../ports/Speech.js"
import { UploadStore } from "../ports/Uploads.js"
import { searchCaptions } from "./captionBacked.js"
import { newJobId } from "./Entropy.js"
import { finish, finishHeard } from "./finishing.js"
import { findKnown } from "./knownResult.js"
import { heardSeconds, limitsOf, requireFeature, requireLanguages, requireLength } from "./limits.js"
import { holdFor } from "./prices.js"
import { Reloads } from "./Reloads.js"
import { makeRepeats, type RequestContext, requestIn } from "./Repeats.js"
import { captionsInTime } from "./requestWait.js"
import { Secrets } from "./Secrets.js"
import { ServiceConfig } from "./ServiceConfig.js"
import { makeSources } from "./Sources.js"
import { sealSource } from "./sealedSources.js"

/** What does not need each other is asked of the store in one turn: the second in a fiber of its own, where `Effect.all` has three. */
const atOnce = <A, B, E, E2, R, R2>(first: Effect.Effect<A, E, R>, second: Effect.Effect<B, E2, R2>) =>
  Effect.gen(function* () {
    const other = yield* Effect.fork(second)
    const one = yield* first
    // Nothing that it set for itself is wanted here, which a join would bring along.
    return [one, yield* yield* Fiber.await(other)] as const
  })

const ROUTE = "/api/v1/transcriptions"

/** How jobs are made, one at a time. */
export const makeCreating = Effect.gen(function* () {
  const accounts = yield* Accounts
  const jobs = yield* JobStore
  const uploads = yield* UploadStore
  const resolver = yield* SourceResolver
  const engine = yield* SpeechEngine
  const diarizer = yield* Diarizer
  const staff = { writer: yield* Writer, translator: yield* Translator }
  const reloads = yield* Reloads
  const config = yield* ServiceConfig
  const repeats = yield* makeRepeats
  const sources = yield* makeSources
  const secrets = yield* Secrets

  const sealed = (job: NewJob) =>
    Effect.map(sealSource(job.source, job.account, secrets), (source) => ({ ...job, source }))

  /** The result that is there already: of the same media before, or from captions. Nothing that takes time is begun. */
  const readyResult = Effect.fnUntraced(function* (account: AccountId, job: NewJob) {
    const known = yield* findKnown(jobs, account, job, { engine, diarizer, ...staff })
    if (known?.by === "whole") return known.result
    // What asks another service is work for the queue.
    const { summary, chapters, translateTo } = job.options
    if (translateTo !== null || (staff.writer.isRemote && (summary || chapters))) return null
    if (known !== null) {
      const { title } = known.result
      return { ...(yield* finishHeard(known.result, job.options, staff)), title }
    }
    // Nothing to wait for, and no fibers for the wait.
    if ((job.source.facts?.captions ?? []).length === 0) return null
    const { transcript, warnings, speakerNames } = yield* searchCaptions(job, resolver, config).pipe(
      captionsInTime(config),
    )
    if (transcript === null) return null
    const finished: Finished = yield* finish(
      {
        transcript,
        options: job.options,
        origin: "captions",
        engine: null,
        detectedLanguage: null,
        voice: null,
        warnings,
        speakerNames,
        credits: 0,
        minutes: 0,
      },
      staff,
    )
    return { ...finished, title: null }
  })

  /** A job whose hold does not fit is tried once more when credits could be bought for it. */
  const enqueue = Effect.fnUntraced(function* (job: NewJob, guard: Guard | null, account: Account) {
    const maxWaiting = limitsOf(account, config).maxWaitingJobs
    const create = jobs.create(job, { guard, maxWaiting })
    const buy = (refused: OutOfCredits) =>
      Effect.flatMap(reloads.consider(job.account), (bought) => (bought ? create : Effect.fail(refused)))
    return yield* create.pipe(Effect.catchTag("OutOfCredits", buy))
  })

  const ownerOf = Effect.fnUntraced(function* (account: AccountId, { diarize }: OptionsSnapshot) {
    const owner = yield* accounts.get(account)
    if (diarize) yield* requireFeature(owner, "diarize", config)
    return owner
  })

  /** The job of a request, not stored yet. */
  const prepare = Effect.fnUntraced(function* (
    account: AccountId,
    request: CreateTranscription,
    context: RequestContext,
  ) {
    const options = effectiveOptions(request, { quality: config.defaultQuality })
    yield* requireLanguages({ engine, translator: staff.translator }, options)
    const [owner, found] = yield* atOnce(ownerOf(account, options), sources.find(account, request))
    yield* requireLength(heardSeconds(found.durationSeconds, options), limitsOf(owner, config))
    const createdAt = yield* Clock.currentTimeMillis
    const job: NewJob = {
      id: yield* newJobId,
      account,
      title: request.title ?? found.title,
      source: yield* withTrace(found.source),
      options,
      metadata: request.metadata ?? null,
      key: context.key ?? null,
      durationSeconds: found.durationSeconds,
      createdAt,
      expiresAt: null,
      isTest: context.isTest === true,
      hold: holdFor(found.durationSeconds, options, config, context),
    }
    return { job, owner }
  })

  const create = tracedFn("Transcriptions.create")(
    Effect.fnUntraced(function* (
      account: AccountId,
      request: CreateTranscription,
      context: RequestContext = {},
    ) {
      const { idempotencyKey } = context
      const body = requestIn(context, request)
      const repeatable = { account, idempotencyKey, route: ROUTE, body, answer: Acknowledgement }
      return yield* repeats.once(repeatable, (guardOf) =>
        Effect.gen(function* () {
          const { job, owner } = yield* prepare(account, request, context)
          // Of a feed that was uploaded a job needs nothing any more.
          const { mediaRef } = job.source.shown
          const used = mediaRef === undefined ? Effect.void : uploads.markUsed(mediaRef)
          const [ready] = yield* atOnce(readyResult(account, job), used)
          const answer = acknowledge(job.id, {
            status: ready === null ? "queued" : "done",
            cached: ready?.origin === "cache",
          })
          const guard = yield* guardOf(answer)
          const kept = yield* sealed(job)
          if (ready === null) return { answer, guarded: yield* enqueue(kept, guard, owner) }
          const { title, ...finished } = ready
          // A file is called as it was before; an address is not, for another feed may have named it.
          const before = mediaRef === undefined ? null : title
          const done = { ...kept, title: job.title ?? before, hold: 0 }
          return { answer, guarded: yield* jobs.createDone(done, finished, { guard }) }
        }),
      )
    }),
  )

  return { create, prepare, readyResult }
})
