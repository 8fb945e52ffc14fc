import {
  type Balance,
  decide,
  type Hold,
  type LedgerOperation,
  type OutOfCredits,
  type Posting,
} from "@earmark/core/credits"
import {
  type AccountId,
  advance,
  type DeliveryId,
  DeliveryId as DeliveryIdSchema,
  type EndpointId,
  type EventType,
  endedEvent,
  eventBody,
  type FailureCode,
  type JobEvent,
  type JobId,
  type TransitionRefused,
} from "@earmark/core/jobs"
import { type Finished, namesAtTheEnd, type StoredJob } from "@earmark/service"
import { Either } from "effect"
import type { EncodedContent } from "./contents.js"
import { newId } from "./ids.js"

/** An endpoint as far as a new event asks: whose it is, and what it wants. */
export interface Listener {
  readonly id: EndpointId
  readonly events: ReadonlyArray<string>
}

export interface NewEntry {
  readonly id: JobId
  readonly account: AccountId
  readonly ofBatch: boolean
  readonly waits: boolean
  readonly needs: number
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

export interface NewPosting extends Posting {
  readonly id: string
}

interface NewUsage {
  readonly job: StoredJob
  readonly minutes: number
}

/**
 * Everything that one transaction is about to write. The rules are those of core; here they are applied to rows that were locked before,
 * and what comes of it is gathered, to be written in one step.
 */
export class Changes {
  readonly balances = new Map<string, Balance>()
  readonly holds = new Map<string, Hold>()
  /** Transactions of the ledger that were written before. Settlements need none: their hold tells. */
  readonly transactions = new Set<string>()
  readonly postings: Array<NewPosting> = []
  readonly changedBalances = new Set<string>()
  readonly changedHolds = new Set<string>()
  readonly jobs = new Map<JobId, StoredJob>()
  /** Rows of new jobs. */
  readonly made: Array<object> = []
  readonly entries: Array<NewEntry> = []
  readonly left: Array<JobId> = []
  readonly events: Array<NewEvent> = []
  readonly deliveries: Array<NewDelivery> = []
  readonly contents: Array<{ readonly job: StoredJob; readonly content: EncodedContent }> = []
  readonly withoutContent: Array<JobId> = []
  readonly usage: Array<NewUsage> = []
  readonly listeners = new Map<AccountId, ReadonlyArray<Listener>>()

  constructor(
    readonly now: number,
    readonly settings: { readonly baseUrl: string },
  ) {}

  /** Does what core decides. An operation that no correct program asks for is a defect. */
  post(operation: LedgerOperation): Either.Either<void, OutOfCredits> {
    const decided = decide(
      {
        balance: (account) => this.balances.get(account),
        hold: (job) => this.holds.get(job),
        hasTransaction: (transaction) => this.transactions.has(transaction),
      },
      operation,
    )
    if (Either.isLeft(decided)) {
      if (decided.left._tag === "LedgerMisused") throw decided.left
      return Either.left(decided.left)
    }
    const { balance, hold, postings } = decided.right
    if (balance !== undefined) {
      this.balances.set(balance.account, balance)
      this.changedBalances.add(balance.account)
    }
    if (hold !== undefined) {
      this.holds.set(hold.job, hold)
      this.changedHolds.add(hold.job)
    }
    for (const posting of postings) this.postings.push({ ...posting, id: newId("entry", this.now) })
    return Either.void
  }

  private postSafely(operation: LedgerOperation): void {
    Either.getOrThrowWith(this.post(operation), (error) => error)
  }

  /** Holds credits for the run that a job is in; holding nothing is no hold. */
  hold(
    job: Pick<StoredJob, "id" | "account">,
    run: number,
    amount: number,
  ): Either.Either<void, OutOfCredits> {
    if (amount === 0) return Either.void
    const known = this.holds.get(job.id)
    return known?.run === run && known.state === "open"
      ? this.post({ type: "raise", job: job.id, run, amount })
      : this.post({ type: "hold", account: job.account, job: job.id, run, amount })
  }

  change(job: StoredJob, changed: Partial<StoredJob>): StoredJob {
    const next = { ...job, ...changed, version: job.version + 1 }
    this.jobs.set(job.id, next)
    return next
  }

  /** Moves a job on by the rules of core. */
  move(
    job: StoredJob,
    event: JobEvent,
    changed: Partial<StoredJob> = {},
  ): Either.Either<StoredJob, TransitionRefused> {
    return Either.map(advance(job.state, event), (state) =>
      state === job.state && Object.keys(changed).length === 0
        ? job
        : this.change(job, { ...changed, state }),
    )
  }

  /** Ends a queued job as failed: hold released, event and deliveries made, out of the queue. */
  fail(
    job: StoredJob,
    code: FailureCode,
    detail: string | null = null,
  ): Either.Either<StoredJob, TransitionRefused> {
    return Either.map(this.move(job, endOf(code, detail, this.now), { billedMinutes: 0 }), (failed) => {
      if (this.holds.get(job.id)?.state === "open") {
        this.postSafely({ type: "release", job: job.id, run: job.state.run })
      }
      this.left.push(job.id)
      this.announce(failed)
      return failed
    })
  }

  /** Ends a job as done: content, settlement, usage, event and deliveries, out of the queue. */
  finish(
    job: StoredJob,
    finished: Finished,
    encoded: EncodedContent,
  ): Either.Either<StoredJob, TransitionRefused> {
    const { content, credits, ...found } = finished
    const event = { type: "completed", at: this.now } as const
    const speakerNames = namesAtTheEnd(job, finished)
    return Either.map(
      this.move(job, event, { ...found, language: content.language, speakerNames }),
      (done) => {
        if (credits > 0 || this.holds.has(job.id)) {
          this.postSafely({ type: "settle", job: job.id, run: job.state.run, amount: credits })
        }
        this.contents.push({ job: done, content: encoded })
        this.usage.push({ job: done, minutes: finished.billedMinutes })
        this.left.push(job.id)
        this.announce(done)
        return done
      },
    )
  }

  /** The event of a job that has just ended, and a delivery of it to each endpoint that wants it. */
  private announce({ id, account, state }: StoredJob): void {
    if (state.status === "queued") return
    const failure = state.status === "failed" ? state.code : null
    const event = endedEvent(
      { id, run: state.run, failure, completedAt: state.completedAt },
      this.settings.baseUrl,
    )
    const made: NewEvent = { id: event.id, account, type: event.type, body: eventBody(event) }
    this.events.push(made)
    for (const listener of this.listeners.get(account) ?? []) {
      if (!listener.events.includes(event.type)) continue
      const delivery = DeliveryIdSchema.make(newId("delivery", this.now))
      this.deliveries.push({ id: delivery, event: made, endpoint: listener.id })
    }
  }
}

const endOf = (code: FailureCode, detail: string | null, at: number): JobEvent => {
  if (code === "canceled") return { type: "canceled", at }
  if (code === "expired") return { type: "expired", at }
  return { type: "failed", code, detail, at }
}
