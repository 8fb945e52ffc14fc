import type { RatePolicy } from "@earmark/core/requests"
import type { RateLimits } from "./requests/limit.js"

/** What the part of the host that apps reach with tokens needs to know. */
export interface AgentFacts {
  readonly baseUrl: string
  readonly rateLimits: RateLimits
  /** How many apps may register from one address; null: as many as come. */
  readonly registrations: RatePolicy | null
  /** Other sites whose pages may ask. */
  readonly corsOrigins: ReadonlyArray<string>
  /** How many proxies of ours stand between clients and this process. */
  readonly proxies: number
  /** The authorization server whose tokens are taken; null: our own. */
  readonly issuer: string | null
}
