import { availableOf } from "@earmark/core/credits"
import {
  type AccountId,
  type AccountNotFound,
  effectiveOptions,
  type RequestedOptions,
  sourceLabel,
} from "@earmark/core/jobs"
import { isWholeFeed, type MediaRefUnknown, type Quote, type QuoteRequest } from "@earmark/core/wire"
import { Context, Effect, Layer } from "effect"
import { Accounts } from "../ports/Accounts.js"
import { JobStore } from "../ports/JobStore.js"
import { Ledger } from "../ports/Ledger.js"
import type { FoundSource, JobSource } from "../ports/records.js"
import { type SourceRefused, SourceResolver } from "../ports/SourceResolver.js"
import { Diarizer, LengthUnknown, MediaDecoder, SpeechEngine, Translator, Writer } from "../ports/Speech.js"
import type { StorageError } from "../ports/StorageError.js"
import { searchCaptions } from "./captionBacked.js"
import { findKnown, whichAreKnown } from "./knownResult.js"
import { isUnlocked, limitsOf, requireLanguages } from "./limits.js"
import { creditsFor, minutesFor, rateFor } from "./prices.js"
import type { FeatureLocked, RequestRefused } from "./refusals.js"
import { captionsInTime, lengthInTime } from "./requestWait.js"
import { ServiceConfig } from "./ServiceConfig.js"
import { keepEpisode, makeSources } from "./Sources.js"
import { sort } from "./skipping.js"
import { makeUploadedFiles } from "./uploadedFiles.js"

type QuoteRefused = SourceRefused | RequestRefused | MediaRefUnknown | AccountNotFound | StorageError

type Price = Omit<Quote, "balanceAfter">

const ONE = { episodes: null, unknownLengths: null } as const

const NOTHING_KNOWN = {
  durationSeconds: null,
  minutes: null,
  credits: null,
  rate: 1,
  cached: false,
  ...ONE,
} as const

/** What an account that has bought nothing may not ask for. */
const lockedIn = (asked: QuoteRequest): FeatureLocked["feature"] | null => {
  if (asked.type === "feed" && isWholeFeed(asked.request.episodes)) return "whole_feed"
  return asked.request.diarize === true ? "diarize" : null
}

const wholeSeconds = (seconds: number | null) => (seconds === null ? null : Math.round(seconds))

const free = (seconds: number | null, cached: boolean): Price => ({
  durationSeconds: wholeSeconds(seconds),
  minutes: seconds === null ? null : Math.max(1, Math.ceil(seconds / 60)),
  credits: 0,
  rate: 1,
  cached,
  ...ONE,
})

/** Their media are not looked at one by one. */
const NOT_IN_FEED = "The feed does not tell the length of every episode."

const sum = (numbers: ReadonlyArray<number | null>): number | null => {
  const known = numbers.filter((number) => number !== null)
  return known.length === 0 ? null : known.reduce((total, number) => total + number, 0)
}

/** What work would cost. Nothing is made and nothing is held. */
export class Quotes extends Context.Tag("@earmark/service/Quotes")<
  Quotes,
  {
    readonly quote: (account: AccountId, request: QuoteRequest) => Effect.Effect<Quote, QuoteRefused>
  }
>() {
  static readonly layer = Layer.effect(
    Quotes,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const jobs = yield* JobStore
      const ledger = yield* Ledger
      const resolver = yield* SourceResolver
      const makers = {
        engine: yield* SpeechEngine,
        diarizer: yield* Diarizer,
        writer: yield* Writer,
        translator: yield* Translator,
      }
      const decoder = yield* MediaDecoder
      const config = yield* ServiceConfig
      const sources = yield* makeSources
      const files = yield* makeUploadedFiles

      /** As it was announced, else as the media itself says. */
      const lengthOf = (source: JobSource, announced: number | null) =>
        announced !== null
          ? Effect.succeed({ seconds: announced })
          : (
              decoder.length?.(source) ?? new LengthUnknown({ reason: "Media are not looked at beforehand." })
            ).pipe(
              lengthInTime(config),
              Effect.match({
                onFailure: ({ reason }) => ({ seconds: null, reason }),
                onSuccess: (seconds) => ({ seconds }),
              }),
            )

      const priceOfOne = Effect.fnUntraced(function* (
        account: AccountId,
        { source, durationSeconds, nothingKnown }: FoundSource,
        requested: RequestedOptions,
      ) {
        const options = effectiveOptions(requested, { quality: config.defaultQuality })
        const known = yield* findKnown(jobs, account, { source, options }, makers)
        if (known !== null) return free(known.result.durationSeconds, true)
        if (nothingKnown !== undefined) return { ...NOTHING_KNOWN, unknownBecause: nothingKnown }
        const searched = searchCaptions({ source, options, durationSeconds }, resolver, config)
        const [{ transcript }, length] = yield* Effect.all(
          [searched.pipe(captionsInTime(config)), lengthOf(source, durationSeconds)],
          { concurrency: 2 },
        )
        if (transcript !== null) return free(length.seconds, false)
        const { seconds } = length
        if (seconds === null) {
          const { reason } = length
          const price: Price = { ...NOTHING_KNOWN, unknownBecause: reason }
          return price
        }
        const price: Price = {
          durationSeconds: wholeSeconds(seconds),
          minutes: minutesFor(seconds, options),
          credits: creditsFor(seconds, options, config),
          rate: rateFor(seconds, options, config),
          cached: false,
          ...ONE,
        }
        return price
      })

      const priceOf = (account: AccountId, found: FoundSource, requested: RequestedOptions) => {
        const { shown } = found.source
        const identity = { title: found.title, source: shown, sourceLabel: sourceLabel(shown) }
        return Effect.map(
          priceOfOne(account, found, requested),
          (price): Price => ({ ...identity, ...price }),
        )
      }

      const priceOfFeed = Effect.fnUntraced(function* (
        account: AccountId,
        request: Extract<QuoteRequest, { readonly type: "feed" }>["request"],
      ) {
        const wanted = request.episodes === "latest" ? 1 : request.episodes
        const limit = wanted === "all" ? Number.MAX_SAFE_INTEGER : wanted
        const { episodes } = yield* files.feed(account, request.feed, limit)
        const { taken } = sort(
          episodes.slice(0, limit),
          limitsOf(yield* accounts.get(account), config),
          config,
          request,
        )
        const options = effectiveOptions(request, { quality: config.defaultQuality })
        // An estimate, as max_credits is compared with: whose captions could be used is not looked up one by one.
        const found = taken.map((episode) => ({ ...keepEpisode(episode, request.feed), options }))
        const known = yield* whichAreKnown(jobs, account, found, makers)
        const lengths = found.map(({ durationSeconds }) => durationSeconds)
        const charged = lengths.filter((_, index) => known[index] !== true)
        const rates = new Set(charged.map((length) => rateFor(length ?? 0, options, config)))
        const [rate = 1, ...others] = rates
        const cached = taken.length > 0 && charged.length === 0
        const unknownLengths = charged.filter((length) => length === null).length
        const price: Price = {
          minutes: sum(lengths.map((length) => (length === null ? null : minutesFor(length, options)))),
          credits: cached
            ? 0
            : sum(charged.map((length) => (length === null ? null : creditsFor(length, options, config)))),
          rate: others.length > 0 ? null : rate,
          cached,
          episodes: taken.length,
          unknownLengths,
          ...(unknownLengths > 0 && { unknownBecause: NOT_IN_FEED }),
        }
        return price
      })

      const quote = Effect.fn("Quotes.quote")(function* (account: AccountId, asked: QuoteRequest) {
        yield* requireLanguages(makers, effectiveOptions(asked.request, { quality: config.defaultQuality }))
        const price =
          asked.type === "feed"
            ? yield* priceOfFeed(account, asked.request)
            : yield* priceOf(account, yield* sources.find(account, asked.request), asked.request)
        const balance = yield* ledger.balance(account)
        const locked = lockedIn(asked)
        const isLocked = locked !== null && !isUnlocked(yield* accounts.get(account), config)
        const quoted: Quote = {
          ...price,
          ...(isLocked && { locked }),
          balanceAfter: price.credits === null ? null : availableOf(balance) - price.credits,
        }
        return quoted
      })

      return Quotes.of({ quote })
    }),
  )
}
