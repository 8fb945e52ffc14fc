import type { ExportFormat } from "@earmark/core/captions"
import type { Effect } from "effect"
import type { Keeper } from "../library/Keeper.js"
import type { Explain } from "../Problem.js"
import type { Destination } from "../results/destination.js"
import type { ShowIndex } from "../results/showIndex.js"
import type { Claims } from "../state/claims.js"
import type { rememberFailures } from "../state/failures.js"
import type { rememberMade } from "../state/made.js"
import type { Workplace } from "../work/Workplace.js"
import type { BatchObserver } from "./BatchObserver.js"
import type { makeBudget } from "./budget.js"
import type { Turns } from "./turns.js"

/** Writes what has no file. */
type Write = (chunk: string | Uint8Array) => Effect.Effect<void, { readonly message: string }>

/** How a run does its work. */
export interface RunSettings {
  /** What is written where a source names no format. */
  readonly format: ExportFormat
  /** The name of the engine, as it was asked for; null where nobody did. */
  readonly engine: string | null
  /** How many sources are under way at once. */
  readonly jobs: number
  /** Also what is done already. */
  readonly force: boolean
  /** Whatever has a result is done, whoever made it. */
  readonly skipExisting: boolean
  /** Also what has failed before and would again. */
  readonly retryFailed: boolean
  /** Nothing is transcribed: results are plans. */
  readonly dryRun: boolean
}

/** What the work on every source of a run has in common. */
export interface Run {
  readonly settings: RunSettings
  readonly destination: Destination
  readonly workplace: Workplace
  readonly claims: Claims
  readonly made: ReturnType<typeof rememberMade>
  readonly failures: ReturnType<typeof rememberFailures>
  readonly keeper: Keeper
  readonly budget: ReturnType<typeof makeBudget>
  readonly index: ShowIndex
  readonly observer: BatchObserver
  readonly explain: Explain
  /** Where results go that have no file. */
  readonly write: Write
  /** Of a plan: several are looked at together. Null: each takes its turn as it comes. */
  readonly turns: Turns | null
  /** Whether this is the only source: then it is tried whatever happened before. */
  readonly isOnly: boolean
}
