import { billableLength, priceOf } from "@earmark/core/credits"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import { counted } from "./figures.js"

/** The code of what is not begun, since a cap would be passed. */
export const OVER_CAP = "over_cap"

/** What work costs: begun minutes, and credits as a server with the usual prices counts them. */
export interface Cost {
  readonly minutes: number
  readonly credits: number
}

/** What of so many seconds lies between the beginning and the end that are asked for. */
export const partOf = (
  seconds: number,
  { startAt, endAt }: Pick<OptionsSnapshot, "startAt" | "endAt">,
): number =>
  startAt === null && endAt === null ? seconds : billableLength(seconds * 1000, { startAt, endAt }) / 1000

export const costOf = (
  seconds: number,
  options: Pick<OptionsSnapshot, "startAt" | "endAt" | "diarize">,
): Cost => {
  const heard = partOf(seconds, options)
  const { diarize } = options
  return {
    minutes: priceOf({ seconds: heard, diarize: false }),
    credits: priceOf({ seconds: heard, diarize }),
  }
}

/** The cap of a run: what is taken stays under it, however many sources are under way. */
export const makeBudget = ({ minutes: mostMinutes, credits: mostCredits }: Limits) => {
  let minutes = 0
  let credits = 0
  const isCapped = mostMinutes !== null || mostCredits !== null

  /** Why the cost does not fit any more; null when it is taken. */
  const take = (cost: Cost): string | null => {
    if (mostMinutes !== null && minutes + cost.minutes > mostMinutes)
      return `it takes ${counted(cost.minutes, "minute")}, and --max-minutes leaves ${mostMinutes - minutes}.`
    if (mostCredits !== null && credits + cost.credits > mostCredits)
      return `it takes ${counted(cost.credits, "credit")}, and --max-credits leaves ${mostCredits - credits}.`
    minutes += cost.minutes
    credits += cost.credits
    return null
  }

  const giveBack = (cost: Cost): void => {
    minutes -= cost.minutes
    credits -= cost.credits
  }

  return { isCapped, take, giveBack }
}

interface Limits {
  readonly minutes: number | null
  readonly credits: number | null
}
