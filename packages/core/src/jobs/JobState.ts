/** The state machine of a job: the one place that knows which step may follow which. */
import * as Either from "effect/Either"
import { JobAlreadyEnded, JobNotRetryable, JobNotWaiting, JobWaitsForCredits } from "./errors.js"
import type { FailureCode } from "./failures.js"
import { CREDITS_WAIT_SECONDS, type Phase, type WorkPhase } from "./states.js"

interface Lived {
  /** 0 for the first run, one more with each retry. */
  readonly run: number
  readonly startedAt: number | null
}

export interface Queued extends Lived {
  readonly status: "queued"
  readonly phase: Phase
  /** 0 to 1. Never goes back within a run, not even when a worker starts over at a checkpoint. */
  readonly progress: number
  /** Since when the job waits for credits; null when it does not. */
  readonly waitingSince: number | null
}

interface Ended extends Lived {
  readonly progress: number
  readonly completedAt: number
  /** Whether text and media are gone because the retention is over. */
  readonly expired: boolean
}

export interface Done extends Ended {
  readonly status: "done"
  readonly progress: 1
}

export interface Failed extends Ended {
  readonly status: "failed"
  readonly code: FailureCode
  /** Where the job was when it failed. */
  readonly stage: Phase
  /** What is the matter with this very media or engine, in a sentence for clients; null where the code says it all. */
  readonly detail: string | null
}

/** Where a job stands. Times are in milliseconds. */
export type JobState = Queued | Done | Failed

/** What can happen to a job. `at` is the moment, in milliseconds. */
export type JobEvent =
  | { readonly type: "entered"; readonly phase: WorkPhase; readonly at: number }
  | { readonly type: "progressed"; readonly progress: number; readonly at: number }
  /** Its worker gave it back, or is lost: it waits for the next one. */
  | { readonly type: "released"; readonly at: number }
  | { readonly type: "credits_lacking"; readonly at: number }
  | { readonly type: "credits_granted"; readonly at: number }
  | { readonly type: "completed"; readonly at: number }
  | {
      readonly type: "failed"
      readonly code: FailureCode
      readonly detail: string | null
      readonly at: number
    }
  | { readonly type: "canceled"; readonly at: number }
  | { readonly type: "retried"; readonly at: number }
  /** The retention of the job is over. */
  | { readonly type: "expired"; readonly at: number }

export type TransitionRefused = JobAlreadyEnded | JobNotRetryable | JobNotWaiting | JobWaitsForCredits

/** A new job. One whose hold did not fit waits for credits from the start. */
export const queuedAt = (at: number, options: { readonly creditsLacking?: boolean } = {}): Queued =>
  fresh(0, at, options.creditsLacking === true)

const fresh = (run: number, at: number, lacking: boolean): Queued => ({
  status: "queued",
  phase: lacking ? "waiting_for_credits" : "waiting",
  progress: 0,
  run,
  startedAt: null,
  waitingSince: lacking ? at : null,
})

const failWith = (state: Queued, code: FailureCode, at: number, detail: string | null = null): Failed => ({
  status: "failed",
  code,
  detail,
  stage: state.phase,
  progress: state.progress,
  run: state.run,
  startedAt: state.startedAt,
  completedAt: at,
  expired: code === "expired",
})

const clamp = (progress: number): number => (progress > 0 ? Math.min(1, progress) : 0)

const advanceEnded = (state: Done | Failed, event: JobEvent): Either.Either<JobState, TransitionRefused> => {
  if (event.type === "expired") return Either.right({ ...state, expired: true })
  if (event.type !== "retried") return Either.left(new JobAlreadyEnded({ status: state.status }))
  if (state.status === "done") return Either.left(new JobNotRetryable({ reason: "done" }))
  if (state.expired) return Either.left(new JobNotRetryable({ reason: "expired" }))
  return Either.right(fresh(state.run + 1, event.at, false))
}

/** What cannot happen to a job whose credits are not there. */
const NEEDS_CREDITS: ReadonlySet<JobEvent["type"]> = new Set(["entered", "progressed", "completed"])

const advanceQueued = (state: Queued, event: JobEvent): Either.Either<JobState, TransitionRefused> => {
  const isUnpaid = state.phase === "waiting_for_credits"
  if (isUnpaid && NEEDS_CREDITS.has(event.type)) return Either.left(new JobWaitsForCredits())
  const { run, startedAt } = state
  const { at } = event
  switch (event.type) {
    case "entered":
      return Either.right({ ...state, phase: event.phase, startedAt: startedAt ?? at })
    case "progressed":
      return Either.right({ ...state, progress: Math.max(state.progress, clamp(event.progress)) })
    case "released":
      return Either.right(isUnpaid ? state : { ...state, phase: "waiting" })
    case "credits_lacking":
      return Either.right(isUnpaid ? state : { ...state, phase: "waiting_for_credits", waitingSince: at })
    case "credits_granted":
      return isUnpaid
        ? Either.right({ ...state, phase: "waiting", waitingSince: null })
        : Either.left(new JobNotWaiting())
    case "completed": {
      const ended = { startedAt: startedAt ?? at, completedAt: at, expired: false }
      return Either.right({ status: "done", progress: 1, run, ...ended })
    }
    case "failed":
      return Either.right(failWith(state, event.code, at, event.detail))
    case "canceled":
    case "expired":
      return Either.right(failWith(state, event.type, at))
    case "retried":
      return Either.left(new JobNotRetryable({ reason: "queued" }))
  }
}

/**
 * The state after an event. `done` and `failed` are final; only a retry brings a failed job back, as its next run.
 * Every store applies this inside the transaction that writes the new state.
 */
export const advance = (state: JobState, event: JobEvent): Either.Either<JobState, TransitionRefused> =>
  state.status === "queued" ? advanceQueued(state, event) : advanceEnded(state, event)

/** Whether a job has waited for credits as long as it may; it then fails with `insufficient_credits`. */
export const creditsWaitIsOver = (state: JobState, now: number): boolean =>
  state.status === "queued" &&
  state.waitingSince !== null &&
  now - state.waitingSince >= CREDITS_WAIT_SECONDS * 1000
