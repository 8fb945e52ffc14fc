import type { AuthorizationFacts } from "@earmark/authorization"
import type { RateLimits } from "./requests/limit.js"

/** What the part of the host that apps reach with tokens needs to know. */
export interface AgentFacts extends AuthorizationFacts {
  readonly rateLimits: RateLimits
  /** Other sites whose pages may ask. */
  readonly corsOrigins: ReadonlyArray<string>
  /** How many proxies of ours stand between clients and this process. */
  readonly proxies: number
  /** The authorization server whose tokens are taken; null: our own. */
  readonly issuer: string | null
}
