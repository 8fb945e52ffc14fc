import { billableLength, priceOf, rateOf } from "@earmark/core/credits"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import type { ServiceConfig } from "./ServiceConfig.js"

type Priced = Pick<OptionsSnapshot, "diarize" | "startAt" | "endAt">
type Settings = Pick<ServiceConfig["Type"], "billing" | "longFormSeconds">

const factsOf = (durationSeconds: number, options: Priced, settings: Settings) => ({
  seconds: billableLength(durationSeconds * 1000, options) / 1000,
  diarize: options.diarize,
  longFormSeconds: settings.longFormSeconds,
})

/** What a job costs once the length of its media is known; 0 without billing. */
export const creditsFor = (durationSeconds: number, options: Priced, settings: Settings): number =>
  settings.billing ? priceOf(factsOf(durationSeconds, options, settings)) : 0

export const rateFor = (durationSeconds: number, options: Priced, settings: Settings): 1 | 3 =>
  rateOf(factsOf(durationSeconds, options, settings))

/** A begun minute counts as a whole one. */
export const minutesOf = (seconds: number): number => Math.max(1, Math.ceil(seconds / 60))

export const minutesFor = (durationSeconds: number, options: Priced): number =>
  minutesOf(billableLength(durationSeconds * 1000, options) / 1000)

/** What is known of a job that costs nothing whatever it asks for. */
interface Payer {
  readonly isTest?: boolean | undefined
}

/** What is held before the length is known for certain: the price, or one credit. */
export const holdFor = (
  durationSeconds: number | null,
  options: Priced,
  settings: Settings,
  { isTest = false }: Payer,
): number => {
  if (!settings.billing || isTest) return 0
  return durationSeconds === null ? 1 : creditsFor(durationSeconds, options, settings)
}
