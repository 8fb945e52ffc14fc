import * as Schema from "effect/Schema"

/** A number of credits; one credit is one minute. */
export const Credits = Schema.Int.pipe(Schema.nonNegative(), Schema.brand("Credits"))
export type Credits = typeof Credits.Type

const DIARIZED_LONG_FORM_RATE = 3

/** Media of this length or more is long-form, unless configured otherwise. */
export const LONG_FORM_SECONDS = 600

/** The times the normal price: diarized long-form media is the one dear thing. */
export const rateOf = (job: {
  readonly seconds: number
  readonly diarize: boolean
  readonly longFormSeconds?: number
}): 1 | typeof DIARIZED_LONG_FORM_RATE =>
  job.diarize && job.seconds >= (job.longFormSeconds ?? LONG_FORM_SECONDS) ? DIARIZED_LONG_FORM_RATE : 1

/**
 * The price of a job: each begun minute is one credit, at least one, times its rate.
 * What comes from the cache or from captions is free. Throws a RangeError for a length that is no number of seconds.
 */
export const priceOf = (job: {
  readonly seconds: number
  readonly diarize: boolean
  readonly origin?: "engine" | "captions" | "cache"
  readonly longFormSeconds?: number
}): Credits => {
  if (job.origin === "captions" || job.origin === "cache") return Credits.make(0)
  if (!(job.seconds >= 0)) throw new RangeError(`A length is 0 seconds or more, not ${job.seconds}`)
  const credits = Math.max(1, Math.ceil(job.seconds / 60)) * rateOf(job)
  if (!Number.isSafeInteger(credits)) throw new RangeError(`No price for ${job.seconds} seconds`)
  return Credits.make(credits)
}

/** The length that is paid for: what lies between the start and the end asked for. All in milliseconds. */
export const billableLength = (
  duration: number,
  trim: { readonly startAt: number | null; readonly endAt: number | null },
): number => Math.max(0, Math.min(trim.endAt ?? duration, duration) - (trim.startAt ?? 0))
