import { billableLength, priceOf } from "@earmark/core/credits"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import { Effect } from "effect"
import type { Problem } from "../Problem.js"
import type { Workplace } from "../work/Workplace.js"

/** The code of what is not begun, since a cap would be passed. */
export const OVER_CAP = "over_cap"

/** What work costs: seconds of media, begun minutes, and credits as a server with the usual prices counts them. */
export interface Cost {
  readonly seconds: number
  readonly minutes: number
  readonly credits: number
}

/** What of so many seconds lies between the beginning and the end that are asked for. */
export const partOf = (
  seconds: number,
  { startAt, endAt }: Pick<OptionsSnapshot, "startAt" | "endAt">,
): number =>
  startAt === null && endAt === null ? seconds : billableLength(seconds * 1000, { startAt, endAt }) / 1000

const costOf = (seconds: number, options: Pick<OptionsSnapshot, "startAt" | "endAt" | "diarize">): Cost => {
  const heard = partOf(seconds, options)
  const { diarize } = options
  return {
    seconds: heard,
    minutes: priceOf({ seconds: heard, diarize: false }),
    credits: priceOf({ seconds: heard, diarize }),
  }
}

/** A server without billing charges nothing; this machine counts what a server would charge. */
export const costAt = (
  { server, takesCredits }: Pick<Workplace, "server" | "takesCredits">,
  seconds: number,
  options: Pick<OptionsSnapshot, "startAt" | "endAt" | "diarize">,
): Effect.Effect<Cost> => {
  const cost = costOf(seconds, options)
  return server === null
    ? Effect.succeed(cost)
    : Effect.map(takesCredits, (takes) => (takes ? cost : { ...cost, credits: 0 }))
}

const MARGIN = 0.001

/** The cap of a run: what is taken stays under it, however many sources are under way. */
export const makeBudget = ({ minutes: mostMinutes, credits: mostCredits }: Limits) => {
  let seconds = 0
  let credits = 0
  const mostSeconds = mostMinutes === null ? null : mostMinutes * 60
  const isCapped = mostMinutes !== null || mostCredits !== null

  /** Why the cost does not fit any more; null when it is taken. */
  const take = (cost: Cost): Problem | null => {
    // A sum of many lengths is not exact to the last digit.
    if (mostSeconds !== null && seconds + cost.seconds > mostSeconds + MARGIN)
      return { reason: "over_minutes", seconds: cost.seconds, left: mostSeconds - seconds }
    if (mostCredits !== null && credits + cost.credits > mostCredits)
      return { reason: "over_credits", credits: cost.credits, left: mostCredits - credits }
    seconds += cost.seconds
    credits += cost.credits
    return null
  }

  const giveBack = (cost: Cost): void => {
    seconds -= cost.seconds
    credits -= cost.credits
  }

  return { isCapped, take, giveBack }
}

interface Limits {
  readonly minutes: number | null
  readonly credits: number | null
}
