import type { Balance, Hold } from "@earmark/core/credits"
import { type AccountId, ID_RANDOM_BYTES, type IdKind, makeId } from "@earmark/core/jobs"
import type { IndexedWords } from "@earmark/core/text"
import type { Account } from "@earmark/core/wire"
import { Context, Effect, Either, Layer, PubSub, Stream } from "effect"
import type { StoredRevision } from "../ports/EditStore.js"
import type { Span } from "../ports/JobQueue.js"
import type { ReloadSettings } from "../ports/Ledger.js"
import type { OAuthRecord } from "../ports/OAuthRecords.js"
import type { Payer, PaymentOrder } from "../ports/PaymentStore.js"
import type { StoredPublication } from "../ports/PublicationStore.js"
import type { Content, StoredJob } from "../ports/records.js"
import { StoreSettings } from "../ports/StoreSettings.js"
import type { StoredUpload } from "../ports/Uploads.js"
import type { StoredEndpoint } from "../ports/WebhookStore.js"
import type {
  ApiKeyRow,
  AttemptRow,
  BatchRow,
  DeliveryRow,
  Entry,
  EventRow,
  ExtraRow,
  GuardRow,
  HoldingKey,
  PostingRow,
  ReloadRow,
  UsageRow,
} from "./rows.js"
import { type Journal, makeTable } from "./Table.js"

const tables = (journal: Journal) => ({
  accounts: makeTable<Account>(journal),
  apiKeys: makeTable<ApiKeyRow>(journal),
  /** Ids of keys by their hash. */
  keyHashes: makeTable<string>(journal),
  jobs: makeTable<StoredJob>(journal),
  contents: makeTable<Content>(journal),
  /** By job. */
  revisions: makeTable<ReadonlyArray<StoredRevision>>(journal),
  /** What a search finds corrected transcripts by. */
  editedWords: makeTable<IndexedWords>(journal),
  /** By job and name. */
  extras: makeTable<ExtraRow>(journal),
  /** By job. */
  publications: makeTable<StoredPublication>(journal),
  batches: makeTable<BatchRow>(journal),
  /** Ids of jobs by scope and key of the cache. */
  cache: makeTable<string>(journal),
  usage: makeTable<UsageRow>(journal),
  guards: makeTable<GuardRow>(journal),
  entries: makeTable<Entry>(journal),
  /** The account whose job was claimed last. */
  turns: makeTable<string>(journal),
  spans: makeTable<ReadonlyArray<Span>>(journal),
  balances: makeTable<Balance>(journal),
  holds: makeTable<Hold>(journal),
  /** By job: whose month its hold counts in. */
  holdingKeys: makeTable<HoldingKey>(journal),
  postings: makeTable<PostingRow>(journal),
  transactions: makeTable<true>(journal),
  reloadSettings: makeTable<ReloadSettings>(journal),
  reloads: makeTable<ReloadRow>(journal),
  payments: makeTable<PaymentOrder>(journal),
  /** When payments are looked at next. */
  paymentLooks: makeTable<{ readonly id: string; readonly at: number }>(journal),
  /** By account and provider. */
  payers: makeTable<Payer>(journal),
  endpoints: makeTable<StoredEndpoint>(journal),
  events: makeTable<EventRow>(journal),
  deliveries: makeTable<DeliveryRow>(journal),
  /** By delivery and number. */
  attempts: makeTable<AttemptRow>(journal),
  uploads: makeTable<StoredUpload>(journal),
  /** By model and id. */
  oauthRecords: makeTable<OAuthRecord>(journal),
  /** Accounts by issuer and subject. */
  accountLinks: makeTable<AccountId>(journal),
  /** The id of the secrets key. */
  storeKey: makeTable<string>(journal),
})

export type Work = "jobs" | "deliveries" | "extras"

/** What one transaction works with. */
export interface Transaction extends ReturnType<typeof tables> {
  readonly now: number
  readonly settings: StoreSettings["Type"]
  /** A new id; later ones sort after earlier ones. */
  readonly newId: (kind: IdKind) => string
  readonly nextNumber: () => number
  /** Tells, once the transaction is written, that something may be claimable. */
  readonly wake: (work: Work) => void
}

/** All stores of a process. One turn of JavaScript is one transaction; nothing survives the process. */
export class MemoryDatabase extends Context.Tag("@earmark/service/MemoryDatabase")<
  MemoryDatabase,
  {
    /** Runs a body that writes all it writes, or nothing: a `Left` and a thrown defect take everything back. */
    readonly transact: <A, E>(body: (transaction: Transaction) => Either.Either<A, E>) => Effect.Effect<A, E>
    readonly wakeUps: (work: Work) => Stream.Stream<void>
  }
>() {
  static readonly layer = Layer.effect(
    MemoryDatabase,
    Effect.gen(function* () {
      const settings = yield* StoreSettings
      // The clock of the store: whatever a caller takes for the time does not matter.
      const clock = yield* Effect.clock
      const signals = {
        jobs: yield* PubSub.sliding<void>(1),
        deliveries: yield* PubSub.sliding<void>(1),
        extras: yield* PubSub.sliding<void>(1),
      }
      const journal: Journal = []
      const all = tables(journal)
      const woken = new Set<Work>()
      let numbers = 0
      const nextNumber = () => ++numbers

      const rollBack = () => {
        for (const undo of journal.splice(0).reverse()) undo()
        woken.clear()
      }
      const commit = () => {
        journal.length = 0
        for (const work of woken) signals[work].unsafeOffer(undefined)
        woken.clear()
      }

      const transactionAt = (now: number): Transaction => ({
        ...all,
        now,
        settings,
        nextNumber,
        newId: (kind) => {
          const random = new Uint8Array(ID_RANDOM_BYTES)
          new DataView(random.buffer).setBigUint64(ID_RANDOM_BYTES - 8, BigInt(nextNumber()))
          return makeId(kind, now, random)
        },
        wake: (work) => woken.add(work),
      })

      const transact = <A, E>(body: (transaction: Transaction) => Either.Either<A, E>) =>
        Effect.suspend((): Effect.Effect<A, E> => {
          try {
            const result = body(transactionAt(clock.unsafeCurrentTimeMillis()))
            if (Either.isLeft(result)) rollBack()
            else commit()
            return result
          } catch (defect) {
            rollBack()
            return Effect.die(defect)
          }
        })

      return MemoryDatabase.of({ transact, wakeUps: (work) => Stream.fromPubSub(signals[work]) })
    }),
  )
}
