import { availableOf, type OutOfCredits } from "@earmark/core/credits"
import { type AccountId, type AccountNotFound, EntryId, JobId } from "@earmark/core/jobs"
import type { CursorInvalid } from "@earmark/core/requests"
import type {
  Account,
  AutoReload,
  Credits,
  EntriesQuery,
  OperatorEntry,
  PutAutoReload,
  Usage,
  UsageQuery,
} from "@earmark/core/wire"
import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { Accounts } from "../ports/Accounts.js"
import { JobQueue } from "../ports/JobQueue.js"
import { JobStore } from "../ports/JobStore.js"
import { Ledger, type LedgerLine, type ReloadSettings } from "../ports/Ledger.js"
import { PaymentStore } from "../ports/PaymentStore.js"
import { Payments } from "../ports/Payments.js"
import type { StorageError } from "../ports/StorageError.js"
import { type Listed, makeCursors, spanOf } from "./Cursors.js"
import { isUnlocked } from "./limits.js"
import { Reloads } from "./Reloads.js"
import { AutoReloadRefused, ReferenceTaken } from "./refusals.js"
import { ServiceConfig } from "./ServiceConfig.js"

type Refused = AccountNotFound | StorageError

const MONTH = 30 * 86_400_000

/** Credits of an account: what it has, is given and spends. What it buys is with `Purchases`. */
export class CreditDesk extends Context.Tag("@earmark/service/CreditDesk")<
  CreditDesk,
  {
    readonly get: (account: AccountId) => Effect.Effect<Credits, Refused>
    /** With references, which are the operator's own. */
    readonly entries: (
      account: AccountId,
      query: EntriesQuery,
    ) => Effect.Effect<Listed<OperatorEntry>, CursorInvalid | StorageError>
    /** Whether anybody here can be charged without a person. */
    readonly canReload: boolean
    readonly putAutoReload: (
      account: AccountId,
      settings: PutAutoReload,
    ) => Effect.Effect<AutoReload, AutoReloadRefused | Refused>
    /**
     * Credits from the operator, once for each reference of an account. As a purchase they unlock what a purchase unlocks.
     * `added` is false when the reference was counted before; another amount than that is refused.
     */
    readonly grant: (
      account: AccountId,
      grant: { readonly credits: number; readonly reference: string; readonly asPurchase: boolean },
    ) => Effect.Effect<{ readonly added: boolean }, OutOfCredits | ReferenceTaken | Refused>
    /** Of the last thirty days unless told otherwise. */
    readonly usage: (account: AccountId, query: UsageQuery) => Effect.Effect<Usage, StorageError>
  }
>() {
  static readonly layer = Layer.effect(
    CreditDesk,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const ledger = yield* Ledger
      const jobs = yield* JobStore
      const queue = yield* JobQueue
      const payments = yield* Payments
      const orders = yield* PaymentStore
      const reloads = yield* Reloads
      const config = yield* ServiceConfig
      const cursors = yield* makeCursors

      const get = Effect.fn("CreditDesk.get")(function* (account: AccountId) {
        const owner = yield* accounts.get(account)
        const balance = yield* ledger.balance(account)
        return showCredits(owner, balance, yield* ledger.reloadSettings(account), config)
      })

      const entries = Effect.fn("CreditDesk.entries")(function* (account: AccountId, query: EntriesQuery) {
        const filter = { ...spanOf(query), ...(query.kind !== undefined && { kind: query.kind }) }
        const pages = cursors(account, "entries", filter, query.order)
        const page = yield* pages.page(query)
        return pages.listed(yield* ledger.entries(account, { ...page, ...filter }), showEntry)
      })

      /** What could never charge anybody is refused, so that nobody counts on it. */
      const requireChargeable = Effect.fnUntraced(function* (account: AccountId) {
        const { offSession, provider } = payments
        if (offSession === "always") return
        if (offSession === "never") return yield* new AutoReloadRefused({ reason: "no_provider" })
        const payer = yield* orders.payer(account, provider)
        if (payer === null || payer.method === null)
          return yield* new AutoReloadRefused({ reason: "no_payer" })
      })

      const putAutoReload = Effect.fn("CreditDesk.putAutoReload")(function* (
        account: AccountId,
        wanted: PutAutoReload,
      ) {
        const before = yield* ledger.reloadSettings(account)
        if (wanted.enabled) yield* requireChargeable(account)
        const kept = {
          enabled: wanted.enabled,
          threshold: wanted.threshold ?? before.threshold,
          amount: wanted.amount ?? before.amount,
          monthlyCap: wanted.monthlyCap ?? before.monthlyCap,
        }
        yield* ledger.putReloadSettings(account, kept)
        yield* reloads.consider(account)
        // Switched off again, when the first charge showed that it cannot be.
        return yield* ledger.reloadSettings(account)
      })

      const grant = Effect.fn("CreditDesk.grant")(function* (
        account: AccountId,
        given: { readonly credits: number; readonly reference: string; readonly asPurchase: boolean },
      ) {
        const { credits, reference } = given
        const payment = {
          amount: credits,
          provider: "operator",
          // References are the operator's own: two accounts may have the same one.
          payment: `${account}:${reference}`,
          kind: "purchase",
        } as const
        const { earlier } = given.asPurchase
          ? yield* ledger.topUp(account, payment)
          : yield* ledger.adjust(account, credits, reference)
        if (earlier !== null && earlier.amount !== credits)
          return yield* new ReferenceTaken({ reference, counted: earlier.amount, given: credits })
        // Also when it was counted before: the process that counted it may have ended before it did this.
        yield* queue.wakeAccount(account)
        return { added: earlier === null }
      })

      const usage = Effect.fn("CreditDesk.usage")(function* (account: AccountId, query: UsageQuery) {
        const now = yield* Clock.currentTimeMillis
        const to = query.to === undefined ? now : DateTime.toEpochMillis(query.to)
        const from = query.from === undefined ? to - MONTH : DateTime.toEpochMillis(query.from)
        const { groupBy } = query
        const data = yield* jobs.usage(account, { from, to, groupBy })
        const total = data.reduce(
          (sum, { transcriptions, minutes, credits }) => ({
            transcriptions: sum.transcriptions + transcriptions,
            minutes: sum.minutes + minutes,
            credits: sum.credits + credits,
          }),
          { transcriptions: 0, minutes: 0, credits: 0 },
        )
        const shown: Usage = {
          from: DateTime.unsafeMake(from),
          to: DateTime.unsafeMake(to),
          groupBy,
          data,
          total,
        }
        return shown
      })

      const canReload = payments.offSession !== "never"

      return CreditDesk.of({ get, entries, canReload, putAutoReload, grant, usage })
    }),
  )
}

const showCredits = (
  account: Account,
  balance: {
    readonly account: string
    readonly posted: number
    readonly held: number
    readonly floor: number
  },
  autoReload: ReloadSettings,
  config: ServiceConfig["Type"],
): Credits => {
  const unlocked = isUnlocked(account, config)
  return {
    balance: balance.posted,
    held: balance.held,
    available: availableOf(balance),
    minutes: Math.max(0, availableOf(balance)),
    isPaid: account.isPaid,
    billing: config.billing,
    autoReload,
    features: { diarize: unlocked, wholeFeed: unlocked, wordLevelExport: unlocked },
  }
}

const showEntry = ({ id, kind, amount, job, reference, createdAt }: LedgerLine): OperatorEntry => ({
  id: EntryId.make(id),
  kind,
  amount,
  transcriptionId: job === null ? null : JobId.make(job),
  reference,
  createdAt: DateTime.unsafeMake(createdAt),
})
