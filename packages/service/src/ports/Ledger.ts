import type { Balance, Discrepancy, OutOfCredits, PostingKind } from "@earmark/core/credits"
import type { AccountId, AccountNotFound, ReloadId } from "@earmark/core/jobs"
import { Context, type Effect } from "effect"
import type { Page, PageRequest, TimeSpan } from "./JobStore.js"
import type { StorageError } from "./StorageError.js"

export interface LedgerLine {
  readonly id: string
  readonly kind: PostingKind
  readonly amount: number
  readonly job: string | null
  /** What stands behind it outside the ledger: the reference of a grant, a payment of a provider. */
  readonly reference: string | null
  readonly createdAt: number
}

/** A balance after what is counted once. */
export interface Credited extends Balance {
  /** What the ledger had for it already; null when it is counted now. */
  readonly earlier: Pick<LedgerLine, "kind" | "amount"> | null
}

export interface LedgerFilter extends PageRequest, TimeSpan {
  readonly kind?: PostingKind | undefined
}

export interface ReloadSettings {
  readonly enabled: boolean
  readonly threshold: number | null
  readonly amount: number | null
  readonly monthlyCap: number | null
}

/**
 * An automatic purchase. At most one of an account is open (pending or processing). It is opened, when `decideReload` of core asks for one,
 * in the very transaction that makes less available: whatever crashes then, the reload is there to be charged.
 */
export interface Reload {
  readonly id: ReloadId
  readonly account: AccountId
  readonly amount: number
  /** One more after each decline: the provider answers a repeated attempt with its first answer. */
  readonly attempt: number
  readonly state: "pending" | "processing" | "succeeded" | "declined" | "action_required"
  readonly providerReference: string | null
  readonly nextAt: number
}

/** For how long somebody who took a reload is given time to charge it. */
export const RELOAD_TAKEN_SECONDS = 60

type Refused = AccountNotFound | StorageError

/**
 * Credits. Holds and settlements are written by `JobStore` and `JobQueue` in the transactions they belong to; here is the rest.
 * Each operation happens once by its business key, however often it is called. The balance never goes below its floor.
 */
export class Ledger extends Context.Tag("@earmark/service/Ledger")<
  Ledger,
  {
    readonly balance: (account: AccountId) => Effect.Effect<Balance, Refused>
    /**
     * Free credits or a correction by the operator; `reference` makes it happen once for the account, also when it was a top-up of
     * the provider `operator` for the payment `<account>:<reference>`.
     */
    readonly adjust: (
      account: AccountId,
      amount: number,
      reference: string,
    ) => Effect.Effect<Credited, OutOfCredits | Refused>
    /**
     * Credits of a payment that succeeded: once for each payment of a provider. A purchase that is counted unlocks what a purchase
     * unlocks. The provider `operator` shares its references with `adjust`.
     */
    readonly topUp: (
      account: AccountId,
      payment: {
        readonly amount: number
        readonly provider: string
        readonly payment: string
        readonly kind: "purchase" | "reload"
      },
    ) => Effect.Effect<Credited, Refused>
    /** Money that went back. The balance may go below zero by it. */
    readonly refund: (
      account: AccountId,
      amount: number,
      reference: string,
    ) => Effect.Effect<Balance, Refused>
    /** Newest first; all lines of an account sum to its balance. */
    readonly entries: (
      account: AccountId,
      filter: LedgerFilter,
    ) => Effect.Effect<Page<LedgerLine>, StorageError>
    readonly reloadSettings: (account: AccountId) => Effect.Effect<ReloadSettings, Refused>
    /** Stores the settings as they are given. Declines from before no longer count. */
    readonly putReloadSettings: (
      account: AccountId,
      settings: ReloadSettings,
    ) => Effect.Effect<ReloadSettings, Refused>
    /**
     * The pending reload of the account that is to be charged now: one that was opened before, or one that `decideReload` of core asks for
     * now. Of racing calls one gets it; null for the others. When nothing more is heard of it, it is due again in a minute.
     */
    readonly takeReload: (account: AccountId) => Effect.Effect<Reload | null, Refused>
    /** Open reloads whose time has come. Nobody else is given them for a minute. */
    readonly takeDueReloads: (limit: number) => Effect.Effect<ReadonlyArray<Reload>, StorageError>
    /**
     * Writes what became of an attempt; a success tops up in the same transaction, under the key of `topUp` (`providerReference`, or
     * the id of the reload, is the payment). A reload that is over does not change any more.
     */
    readonly recordReload: (
      id: ReloadId,
      outcome: Pick<Reload, "attempt" | "state" | "providerReference" | "nextAt"> & {
        readonly provider: string
      },
    ) => Effect.Effect<void, StorageError>
    /** Recomputes every sum from the entries and holds; answers what does not fit. */
    readonly verify: Effect.Effect<ReadonlyArray<Discrepancy>, StorageError>
  }
>() {}
