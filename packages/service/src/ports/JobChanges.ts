import {
  type Balance,
  decide,
  type Hold,
  type LedgerOperation,
  type LedgerView,
  type OutOfCredits,
  type Posting,
} from "@earmark/core/credits"
import {
  type AccountId,
  type DeliveryId,
  DeliveryId as DeliveryIdSchema,
  type EndpointId,
  type FailureCode,
  type IdKind,
  type JobEvent,
  type JobId,
  type TransitionRefused,
} from "@earmark/core/jobs"
import { type EventType, endedEvent, eventBody } from "@earmark/core/wire"
import { Either } from "effect"
import type { Finished, StoredJob } from "./records.js"
import { changedJob, movedJob, namesAtTheEnd } from "./stored.js"

/** An enabled endpoint and the events that it wants. */
export interface EventListener {
  readonly id: EndpointId
  readonly events: ReadonlyArray<string>
}

/** The rows that decisions read. A store has locked them, or nothing else can change them meanwhile. */
export interface JobRows extends LedgerView {
  /** The enabled endpoints of an account. */
  readonly listeners: (account: AccountId) => ReadonlyArray<EventListener>
}

interface NewEvent {
  readonly id: string
  readonly account: AccountId
  readonly type: EventType
  readonly body: string
}

interface NewDelivery {
  readonly id: DeliveryId
  readonly event: NewEvent
  readonly endpoint: EndpointId
}

interface NewPosting extends Posting {
  readonly id: string
}

interface NewUsage {
  readonly job: StoredJob
  readonly minutes: number
  readonly credits: number
}

interface Around {
  /** The time by the clock of the store. */
  readonly now: number
  readonly baseUrl: string
  readonly newId: (kind: IdKind) => string
}

/**
 * Decides what a change of jobs means for credits, events, deliveries and usage, and collects the rows to write. It writes nothing itself:
 * a store loads the rows, asks, and writes what was collected in the same transaction.
 */
export class JobChanges {
  readonly balances = new Map<string, Balance>()
  readonly holds = new Map<string, Hold>()
  readonly postings: Array<NewPosting> = []
  readonly jobs = new Map<JobId, StoredJob>()
  /** Jobs that leave the queue. */
  readonly left: Array<JobId> = []
  readonly events: Array<NewEvent> = []
  readonly deliveries: Array<NewDelivery> = []
  readonly usage: Array<NewUsage> = []
  readonly now: number

  constructor(
    private readonly rows: JobRows,
    private readonly around: Around,
  ) {
    this.now = around.now
  }

  /** Does what core decides. An operation that no correct program asks for is a defect. */
  post(operation: LedgerOperation): Either.Either<void, OutOfCredits> {
    const decided = decide(
      {
        balance: (account) => this.balances.get(account) ?? this.rows.balance(account),
        hold: (job) => this.holdOf(job),
        hasTransaction: (transaction) => this.rows.hasTransaction(transaction),
      },
      operation,
    )
    if (Either.isLeft(decided)) {
      if (decided.left._tag === "LedgerMisused") throw decided.left
      return Either.left(decided.left)
    }
    const { balance, hold, postings } = decided.right
    if (balance !== undefined) this.balances.set(balance.account, balance)
    if (hold !== undefined) this.holds.set(hold.job, hold)
    for (const posting of postings) this.postings.push({ ...posting, id: this.around.newId("entry") })
    return Either.void
  }

  private holdOf(job: string): Hold | undefined {
    return this.holds.get(job) ?? this.rows.hold(job)
  }

  private postSafely(operation: LedgerOperation): void {
    Either.getOrThrowWith(this.post(operation), (error) => error)
  }

  /** Holds credits for a run of a job, or raises its hold. An amount of 0 needs no hold. */
  hold(
    job: Pick<StoredJob, "id" | "account">,
    run: number,
    amount: number,
  ): Either.Either<void, OutOfCredits> {
    if (amount === 0) return Either.void
    const known = this.holdOf(job.id)
    return known?.run === run && known.state === "open"
      ? this.post({ type: "raise", job: job.id, run, amount })
      : this.post({ type: "hold", account: job.account, job: job.id, run, amount })
  }

  change(job: StoredJob, changed: Partial<StoredJob>): StoredJob {
    const next = changedJob(job, changed)
    this.jobs.set(job.id, next)
    return next
  }

  /** Moves a job on by the rules of core. */
  move(
    job: StoredJob,
    event: JobEvent,
    changed: Partial<StoredJob> = {},
  ): Either.Either<StoredJob, TransitionRefused> {
    return Either.map(movedJob(job, event, changed), (next) => {
      if (next !== job) this.jobs.set(job.id, next)
      return next
    })
  }

  /** Ends a queued job as failed: releases its hold, takes it out of the queue, tells the listeners. */
  fail(
    job: StoredJob,
    code: FailureCode,
    detail: string | null = null,
  ): Either.Either<StoredJob, TransitionRefused> {
    return Either.map(this.move(job, endOf(code, detail, this.now), { billedMinutes: 0 }), (failed) => {
      if (this.holdOf(job.id)?.state === "open") {
        this.postSafely({ type: "release", job: job.id, run: job.state.run })
      }
      this.left.push(job.id)
      this.announce(failed)
      return failed
    })
  }

  /** Ends a job as done: settles its hold, notes the usage, takes it out of the queue, tells the listeners. Storing the content is the caller's. */
  finish(job: StoredJob, finished: Finished): Either.Either<StoredJob, TransitionRefused> {
    const { content, credits, minutes, ...found } = finished
    const event = { type: "completed", at: this.now } as const
    const changed = {
      ...found,
      language: content.language,
      speakerNames: namesAtTheEnd(job, finished),
    }
    return Either.map(this.move(job, event, changed), (done) => {
      if (credits > 0 || this.holdOf(job.id) !== undefined) {
        this.postSafely({ type: "settle", job: job.id, run: job.state.run, amount: credits })
      }
      this.usage.push({
        job: done,
        // For a test key nothing is transcribed.
        minutes: job.isTest ? 0 : minutes,
        credits: finished.billedMinutes,
      })
      this.left.push(job.id)
      this.announce(done)
      return done
    })
  }

  /** The event of a job that has just ended, and a delivery of it to each endpoint that wants it. */
  private announce({ id, account, state }: StoredJob): void {
    if (state.status === "queued") return
    const failure = state.status === "failed" ? state.code : null
    const ended = endedEvent(
      { id, run: state.run, failure, completedAt: state.completedAt },
      this.around.baseUrl,
    )
    const event: NewEvent = { id: ended.id, account, type: ended.type, body: eventBody(ended) }
    this.events.push(event)
    for (const listener of this.rows.listeners(account)) {
      if (!listener.events.includes(event.type)) continue
      const delivery = DeliveryIdSchema.make(this.around.newId("delivery"))
      this.deliveries.push({ id: delivery, event, endpoint: listener.id })
    }
  }
}

const endOf = (code: FailureCode, detail: string | null, at: number): JobEvent => {
  if (code === "canceled") return { type: "canceled", at }
  if (code === "expired") return { type: "expired", at }
  return { type: "failed", code, detail, at }
}
