import type { KeyLimitReached, OutOfCredits } from "@earmark/core/credits"
import { availableOf } from "@earmark/core/credits"
import {
  type AccountId,
  type AccountNotFound,
  BatchId,
  BatchNotFound,
  effectiveOptions,
  parseId,
} from "@earmark/core/jobs"
import type { CursorInvalid } from "@earmark/core/requests"
import {
  Batch,
  BatchCanceled,
  BatchRetried,
  type BatchStatus,
  type Episode,
  type EpisodeList,
  type EpisodesQuery,
  isWholeFeed,
  LARGEST_BATCH,
  type MediaRefUnknown,
  type PageQuery,
  type TranscribeFeed,
  transcriptionPath,
} from "@earmark/core/wire"
import { Array as Arrays, Clock, Context, DateTime, Effect, Layer } from "effect"
import { withTrace } from "../observing/traces.js"
import { Accounts } from "../ports/Accounts.js"
import {
  JobStore,
  type NewBatch,
  type NewJob,
  type StoredBatch,
  type TooManyJobs,
} from "../ports/JobStore.js"
import { Ledger } from "../ports/Ledger.js"
import type { FoundSource } from "../ports/records.js"
import type { ResolvedFeed, SourceRefused } from "../ports/SourceResolver.js"
import { Diarizer, SpeechEngine, Translator, Writer } from "../ports/Speech.js"
import type { StorageError } from "../ports/StorageError.js"
import { type Listed, makeCursors } from "./Cursors.js"
import { newBatchId, newJobId } from "./Entropy.js"
import { whichAreKnown } from "./knownResult.js"
import { limitsOf, requireFeature, requireLanguages } from "./limits.js"
import { makeBatchRetry } from "./makeBatchRetry.js"
import { holdFor } from "./prices.js"
import { Reloads } from "./Reloads.js"
import { type Answered, makeRepeats, type RequestContext, requestIn } from "./Repeats.js"
import { BudgetExceeded, type FeatureLocked, type RepeatRefused, RequestRefused } from "./refusals.js"
import { Secrets } from "./Secrets.js"
import { ServiceConfig } from "./ServiceConfig.js"
import { keepEpisode } from "./Sources.js"
import { sealSource } from "./sealedSources.js"
import { nothingToDo, sort } from "./skipping.js"
import { makeUploadedFiles } from "./uploadedFiles.js"

type FeedEpisode = ResolvedFeed["episodes"][number]

export type BatchRefused =
  | SourceRefused
  | MediaRefUnknown
  | RequestRefused
  | FeatureLocked
  | BudgetExceeded
  | RepeatRefused
  | TooManyJobs
  | KeyLimitReached
  | OutOfCredits
  | AccountNotFound
  | StorageError

type Unknown = BatchNotFound | StorageError

const ROUTE = "/api/v1/podcasts/transcribe"

/** Feeds: what is in them, and whole feeds as batches of jobs. */
export class Podcasts extends Context.Tag("@earmark/service/Podcasts")<
  Podcasts,
  {
    readonly episodes: (
      account: AccountId,
      query: EpisodesQuery,
    ) => Effect.Effect<EpisodeList, SourceRefused | MediaRefUnknown | CursorInvalid | StorageError>
    /** One job for each episode, all in one step. What cannot become a job is listed with its reason. */
    readonly transcribe: (
      account: AccountId,
      request: TranscribeFeed,
      context?: RequestContext,
    ) => Effect.Effect<Answered<Batch>, BatchRefused>
    readonly batches: (
      account: AccountId,
      query: PageQuery,
    ) => Effect.Effect<Listed<BatchStatus>, CursorInvalid | StorageError>
    readonly batch: (account: AccountId, id: string) => Effect.Effect<BatchStatus, Unknown>
    /** Queues the failed jobs again that may end better, newest first, until credits are lacking. */
    readonly retryBatch: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<BatchRetried, AccountNotFound | KeyLimitReached | OutOfCredits | Unknown>
    readonly cancelBatch: (account: AccountId, id: string) => Effect.Effect<BatchCanceled, Unknown>
  }
>() {
  static readonly layer = Layer.effect(
    Podcasts,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const jobs = yield* JobStore
      const ledger = yield* Ledger
      const files = yield* makeUploadedFiles
      const makers = {
        engine: yield* SpeechEngine,
        diarizer: yield* Diarizer,
        writer: yield* Writer,
        translator: yield* Translator,
      }
      const reloads = yield* Reloads
      const retryFailed = yield* makeBatchRetry
      const config = yield* ServiceConfig
      const cursors = yield* makeCursors
      const repeats = yield* makeRepeats
      const secrets = yield* Secrets

      const episodes = Effect.fn("Podcasts.episodes")(function* (account: AccountId, query: EpisodesQuery) {
        const pages = cursors(account, "episodes", { feed: query.feed }, "desc")
        const offset = yield* pages.offset(query)
        const feed = yield* files.feed(account, query.feed, offset + query.limit)
        const data = feed.episodes.slice(offset, offset + query.limit).map(showEpisode)
        const next = offset + data.length
        const list: EpisodeList = {
          title: feed.title,
          total: feed.total,
          returned: data.length,
          data,
          nextCursor: next < feed.total && data.length > 0 ? pages.atOffset(next) : null,
        }
        return list
      })

      const choose = Effect.fnUntraced(function* (
        account: AccountId,
        { feed, episodes: choice }: TranscribeFeed,
      ) {
        const wanted = choice === "all" ? LARGEST_BATCH + 1 : choice === "latest" ? 1 : choice
        const found = yield* files.feed(account, feed, Math.min(wanted, LARGEST_BATCH + 1))
        const chosen = found.episodes.slice(0, wanted)
        if (chosen.length > LARGEST_BATCH) {
          const detail = `A batch has at most ${LARGEST_BATCH} episodes`
          return yield* new RequestRefused({ code: "batch_too_large", detail })
        }
        if (chosen.length === 0) {
          const detail = "The feed has no episode with playable media"
          return yield* new RequestRefused({ code: "episode_not_found", detail })
        }
        return { found, chosen }
      })

      const newJob = Effect.fnUntraced(function* (
        account: AccountId,
        { id, createdAt, hold }: Pick<NewJob, "id" | "createdAt" | "hold">,
        { source, title, durationSeconds }: FoundSource,
        request: TranscribeFeed,
        context: RequestContext,
      ) {
        const options = effectiveOptions(request, { quality: config.defaultQuality })
        const job: NewJob = {
          id,
          account,
          title,
          source: yield* Effect.flatMap(sealSource(source, account, secrets), withTrace),
          options,
          metadata: request.metadata ?? null,
          key: context.key ?? null,
          durationSeconds,
          createdAt,
          expiresAt: null,
          isTest: context.isTest === true,
          hold,
        }
        return job
      })

      /** What is transcribed already costs nothing, so nothing is held for it. */
      const newJobs = Effect.fnUntraced(function* (
        account: AccountId,
        episodes: ReadonlyArray<FeedEpisode>,
        request: TranscribeFeed,
        context: RequestContext,
      ) {
        const options = effectiveOptions(request, { quality: config.defaultQuality })
        const { isTest = false } = context
        const found = episodes.map((episode) => keepEpisode(episode, request.feed))
        const wanted = found.map(({ source }) => ({ source, options, isTest }))
        const known = yield* whichAreKnown(jobs, account, wanted, makers)
        const createdAt = yield* Clock.currentTimeMillis
        const ids = yield* Effect.replicateEffect(newJobId, found.length)
        // Lists have the greatest first: they show a show in the order of its feed.
        const ordered = ids.toSorted().toReversed()
        return yield* Effect.forEach(Arrays.zip(ordered, found), ([id, one], index) => {
          const hold = known[index] === true ? 0 : holdFor(one.durationSeconds, options, config, context)
          return newJob(account, { id, createdAt, hold }, one, request, context)
        })
      })

      /** Nothing is made when it would cost more than was allowed. */
      const requireBudget = Effect.fnUntraced(function* (batch: NewBatch, budget: number | undefined) {
        const needed = batch.jobs.reduce((sum, { hold }) => sum + hold, 0)
        if (budget === undefined || needed <= budget) return
        const balance = yield* ledger.balance(batch.account)
        return yield* new BudgetExceeded({ budget, needed, balance: availableOf(balance) })
      })

      const create = Effect.fnUntraced(function* (batch: NewBatch) {
        const made = jobs.createBatch(batch)
        return yield* made.pipe(
          Effect.catchTag("OutOfCredits", (refused) =>
            Effect.flatMap(reloads.consider(batch.account), (bought) =>
              bought ? made : Effect.fail(refused),
            ),
          ),
        )
      })

      const prepare = Effect.fnUntraced(function* (
        account: AccountId,
        request: TranscribeFeed,
        context: RequestContext,
      ) {
        const owner = yield* accounts.get(account)
        if (isWholeFeed(request.episodes)) yield* requireFeature(owner, "whole_feed", config)
        if (request.diarize) yield* requireFeature(owner, "diarize", config)
        yield* requireLanguages(makers, effectiveOptions(request, { quality: config.defaultQuality }))
        const { found, chosen } = yield* choose(account, request)
        const limits = limitsOf(owner, config)
        const { taken, skipped } = sort(chosen, limits, config, request)
        if (taken.length === 0) return yield* nothingToDo(skipped)
        const made = yield* newJobs(account, taken, request, context)
        return { found, taken, skipped, made, maxWaiting: limits.maxWaitingJobs }
      })

      const transcribe = Effect.fn("Podcasts.transcribe")(function* (
        account: AccountId,
        request: TranscribeFeed,
        context: RequestContext = {},
      ) {
        const { idempotencyKey } = context
        // What a run may cost is no part of what is asked: a repeat that allows more or less means the same run.
        const body = requestIn(context, { ...request, maxCredits: undefined })
        const repeatable = { account, idempotencyKey, route: ROUTE, body, answer: Batch }
        return yield* repeats.once(repeatable, (guardOf) =>
          Effect.gen(function* () {
            const { found, taken, skipped, made, maxWaiting } = yield* prepare(account, request, context)
            const id = yield* newBatchId
            const answer: Batch = {
              batchId: id,
              total: made.length,
              transcriptions: made.map((job, index) => {
                const guid = taken[index]?.guid ?? ""
                return { id: job.id, title: job.title ?? guid, guid, url: transcriptionPath(job.id) }
              }),
              skipped,
            }
            const batch: NewBatch = {
              id,
              account,
              feedUrl: found.feedUrl,
              title: found.title,
              createdAt: yield* Clock.currentTimeMillis,
              jobs: made,
              guard: yield* guardOf(answer),
              maxWaiting,
            }
            yield* requireBudget(batch, request.maxCredits)
            return { answer, guarded: yield* create(batch) }
          }),
        )
      })

      const idOf = (text: string) =>
        Effect.mapError(parseId(BatchId)(text), () => new BatchNotFound({ id: text.slice(0, 64) }))

      const batches = Effect.fn("Podcasts.batches")(function* (account: AccountId, query: PageQuery) {
        const pages = cursors(account, "batches", {}, query.order)
        return pages.listed(yield* jobs.batches(account, yield* pages.page(query)), showBatch)
      })

      const found = Effect.fnUntraced(function* (account: AccountId, text: string) {
        const stored = yield* jobs.batch(account, yield* idOf(text))
        return stored ?? (yield* new BatchNotFound({ id: text.slice(0, 64) }))
      })

      const batch = Effect.fn("Podcasts.batch")(function* (account: AccountId, text: string) {
        return showBatch(yield* found(account, text))
      })

      const retryBatch = Effect.fn("Podcasts.retryBatch")(function* (account: AccountId, text: string) {
        const { id } = yield* found(account, text)
        const retried = yield* retryFailed(account, id)
        const { failed: left } = yield* found(account, text)
        return BatchRetried.make({ batchId: id, retried, left })
      })

      const cancelBatch = Effect.fn("Podcasts.cancelBatch")(function* (account: AccountId, text: string) {
        const id = yield* idOf(text)
        const counts = yield* jobs.cancelBatch(account, id)
        if (counts === null) return yield* new BatchNotFound({ id })
        return BatchCanceled.make({ batchId: id, ...counts })
      })

      return Podcasts.of({ episodes, transcribe, batches, batch, retryBatch, cancelBatch })
    }),
  )
}

const showBatch = ({ id, createdAt, canceledAt, ...rest }: StoredBatch): BatchStatus => ({
  ...rest,
  batchId: id,
  createdAt: DateTime.unsafeMake(createdAt),
  canceledAt: canceledAt === null ? null : DateTime.unsafeMake(canceledAt),
})

const showEpisode = (episode: FeedEpisode): Episode => ({
  title: episode.title,
  guid: episode.guid,
  publishedAt: episode.publishedAt === null ? null : DateTime.unsafeMake(episode.publishedAt),
  durationSeconds: episode.durationSeconds,
  audioUrl: episode.mediaUrl,
  index: episode.index,
  link: episode.link,
  image: episode.image,
  transcripts: episode.captions.map(({ url, type = null, language }) => ({ url, type, language })),
})
