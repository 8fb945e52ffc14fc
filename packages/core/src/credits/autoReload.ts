/** When credits are bought without anybody asking. Times in milliseconds. */

export interface ReloadSettings {
  readonly enabled: boolean
  /** Credits are bought when fewer than this are available. */
  readonly threshold: number
  readonly amount: number
  readonly monthlyCap: number
}

export interface ReloadFacts {
  readonly available: number
  /** Whether a reload of the account is pending or processing: there is never a second one. */
  readonly inFlight: boolean
  /** Credits of this month's reloads, those in flight included. */
  readonly boughtThisMonth: number
  /** Declines in a row, and when the last one was; null after a success. */
  readonly declined: { readonly times: number; readonly at: number } | null
}

export type ReloadDecision =
  | { readonly reload: true; readonly amount: number }
  | {
      readonly reload: false
      readonly reason: "off" | "enough" | "in_flight" | "monthly_cap" | "declined"
    }

const HOUR = 3_600_000
/** After a first and a second decline; a third one switches auto-reload off. */
const WAITS: ReadonlyArray<number> = [HOUR, 24 * HOUR]

const skip = (reason: Extract<ReloadDecision, { reload: false }>["reason"]): ReloadDecision => ({
  reload: false,
  reason,
})

/** When a declined charge may be tried again, as a new attempt; null when auto-reload is to be switched off. */
export const retryAfterDecline = (declined: {
  readonly times: number
  readonly at: number
}): number | null => {
  const wait = WAITS[declined.times - 1]
  return wait === undefined ? null : declined.at + wait
}

/** Whether to buy credits now. A reload is never cut to what the cap leaves: it is bought whole or not at all. */
export const decideReload = (settings: ReloadSettings, facts: ReloadFacts, now: number): ReloadDecision => {
  if (!settings.enabled) return skip("off")
  if (facts.available >= settings.threshold) return skip("enough")
  if (facts.inFlight) return skip("in_flight")
  if (facts.boughtThisMonth + settings.amount > settings.monthlyCap) return skip("monthly_cap")
  const retryAt = facts.declined === null ? now : retryAfterDecline(facts.declined)
  return retryAt === null || now < retryAt ? skip("declined") : { reload: true, amount: settings.amount }
}
