/** Rows that only the memory layer knows in this form. */
import type { Posting } from "@earmark/core/credits"
import type { AccountId, BatchId, JobId } from "@earmark/core/jobs"
import type { Attempt, EventType } from "@earmark/core/wire"
import type { NewKey } from "../ports/Accounts.js"
import type { ExtraName, MadeExtra } from "../ports/ExtraStore.js"
import type { Reload } from "../ports/Ledger.js"
import type { StoredDelivery } from "../ports/WebhookStore.js"

/** The place of a job in the queue. */
export interface Entry {
  readonly job: JobId
  readonly account: AccountId
  /** Lower goes first, among the jobs of one account. */
  readonly priority: number
  /** Later entries have a higher one. */
  readonly sequence: number
  readonly state: "ready" | "leased" | "scheduled" | "parked" | "dead"
  /** Since when, or from when on, it can be claimed. */
  readonly readyAt: number
  readonly token: string | null
  readonly leaseUntil: number
  readonly attempt: number
  /** The hold that the job needs to go on. */
  readonly needs: number
  /** What the spans of the job were heard under. */
  readonly plan: string | null
  readonly reason: string | null
}

/** An extra that was asked for after its job was done. */
export interface ExtraRow {
  readonly job: JobId
  readonly account: AccountId
  readonly name: ExtraName
  /** The newest that was made. */
  readonly made: MadeExtra | null
  /** Since when it is to be made; null: nothing is to be done. */
  readonly dueAt: number | null
  readonly token: string | null
  readonly leaseUntil: number
  readonly attempts: number
}

export interface BatchRow {
  readonly id: BatchId
  readonly account: AccountId
  readonly feedUrl: string
  readonly title: string | null
  readonly total: number
  /** Of jobs that were removed. */
  readonly removedMinutes: number
  readonly createdAt: number
  readonly canceledAt: number | null
}

export interface GuardRow {
  readonly fingerprint: string
  readonly answer: string
  readonly expiresAt: number
}

export interface PostingRow extends Posting {
  readonly id: string
  readonly createdAt: number
}

/** The key that a job was made with, and when the hold of its run was opened. */
export interface HoldingKey {
  readonly job: JobId
  readonly key: string
  readonly openedAt: number
}

export interface UsageRow {
  readonly account: AccountId
  readonly at: number
  readonly key: string | null
  readonly minutes: number
  readonly credits: number
}

export interface ReloadRow extends Reload {
  readonly createdAt: number
  /** When it ended as declined; null while it has not, and once new settings made it forgotten. */
  readonly declinedAt: number | null
}

export interface EventRow {
  readonly id: string
  readonly account: AccountId
  readonly type: EventType
  readonly body: string
}

export interface DeliveryRow extends StoredDelivery {
  readonly account: AccountId
  /** Of the attempt that is due or under way. */
  readonly trigger: "auto" | "manual" | "test"
  /** Attempts of the schedule: those asked for by hand do not move it on. */
  readonly scheduled: number
  readonly token: string | null
  readonly leaseUntil: number
  readonly startedAt: number
  /** Where it stood when an attempt was asked for by hand. */
  readonly before: Pick<StoredDelivery, "state" | "nextAt"> | null
}

export interface AttemptRow {
  readonly delivery: string
  readonly startedAt: number
  readonly attempt: Attempt
}

export interface ApiKeyRow extends Omit<NewKey, "hash"> {
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}
