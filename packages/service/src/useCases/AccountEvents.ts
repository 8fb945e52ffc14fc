import { availableOf, type Balance } from "@earmark/core/credits"
import { type AccountId, type AccountNotFound, JobId, parseId } from "@earmark/core/jobs"
import type { AccountUpdate } from "@earmark/core/wire"
import { Chunk, Context, Effect, Layer, Option, Queue, Stream } from "effect"
import { JobNews } from "../ports/JobNews.js"
import { type JobStep, JobStore } from "../ports/JobStore.js"
import { Ledger } from "../ports/Ledger.js"
import type { StorageError } from "../ports/StorageError.js"
import * as TimeLimit from "../TimeLimit.js"

/** No job is reported more often. */
const LEAST_PAUSE = "500 millis"
/** While a job runs: nobody tells how far a phase has come. */
const BUSY_PAUSE = "1 second"
/** While nothing runs. Ends that no process has asked for, such as that of a lost lease, are found by it. */
const QUIET_PAUSE = "15 seconds"
/** The same where nobody tells of changes. */
const UNTOLD_PAUSE = "2 seconds"

/** A change is seen only once it is committed, which may be later than its moment. */
const COMMITTED_WITHIN = 10_000

const MOST_AT_ONCE = 1000

/** What happened, and the place of whoever was told: a moment of the clock of the store. */
export type AccountEvent = AccountUpdate & { readonly place: number }

/** What was told since the last look. */
interface Hints {
  readonly named: Set<JobId>
  /** Any job may have changed. */
  isWide: boolean
}

interface Seen {
  /** What was last reported of each job that is queued or has just ended. */
  readonly jobs: ReadonlyMap<JobId, JobStep>
  readonly credits: string | null
  readonly place: number | null
  readonly isBusy: boolean
}

const isSame = (left: JobStep | undefined, right: JobStep): boolean =>
  left !== undefined &&
  left.version === right.version &&
  left.progress === right.progress &&
  left.phase === right.phase &&
  left.status === right.status

const jobUpdate = ({ id, status, phase, progress }: JobStep): AccountUpdate => ({
  event: "job",
  data: { id, status, phase, progress },
})

const deletedUpdate = (id: JobId): AccountUpdate => ({
  event: "job",
  data: { id, status: "deleted", phase: null, progress: 0 },
})

const creditsUpdate = (balance: Balance): AccountUpdate => ({
  event: "credits",
  data: { balance: balance.posted, held: balance.held, available: availableOf(balance) },
})

/** Only the last event of a look has its place: whoever was told less is told the rest again. */
const placed = (updates: ReadonlyArray<AccountUpdate>, before: number, now: number) =>
  updates.map((update, at): AccountEvent => ({ ...update, place: at === updates.length - 1 ? now : before }))

/** Everything that changes in an account. All of it is derived from what is stored, so that it goes on after any break, in any process. */
export class AccountEvents extends Context.Tag("@earmark/service/AccountEvents")<
  AccountEvents,
  {
    /**
     * First how each queued job stands, with those that were created or ended since a place, and the balance; then each change of either.
     * Without `credits` there is no balance. It never ends.
     */
    readonly follow: (
      account: AccountId,
      options: { readonly after: number | null; readonly credits: boolean },
    ) => Stream.Stream<AccountEvent, AccountNotFound | StorageError>
  }
>() {
  static readonly layer = Layer.effect(
    AccountEvents,
    Effect.gen(function* () {
      const store = yield* JobStore
      const ledger = yield* Ledger
      const news = yield* Effect.serviceOption(JobNews)
      const quietPause = Option.isSome(news) ? QUIET_PAUSE : UNTOLD_PAUSE

      /** Gathers what is told of an account for as long as the scope lives. */
      const gather = Effect.fnUntraced(function* (
        account: AccountId,
        hints: Hints,
        signal: Queue.Queue<void>,
      ) {
        if (Option.isNone(news)) return
        yield* news.value.heard.pipe(
          Stream.runForEach((heard) => {
            if (heard !== "missed" && heard.account !== account) return Effect.void
            const job = heard === "missed" || heard.job === null ? null : parseId(JobId)(heard.job)
            if (job !== null && job._tag === "Right") hints.named.add(job.right)
            else hints.isWide = true
            return Queue.offer(signal, undefined)
          }),
          Effect.forkScoped,
        )
      })

      const look = Effect.fnUntraced(function* (
        account: AccountId,
        seen: Seen,
        hints: Hints,
        withCredits: boolean,
      ) {
        const [named, isWide] = [[...hints.named], hints.isWide]
        hints.named.clear()
        hints.isWide = false
        const { now, jobs } = yield* store.changed(account, {
          since: seen.place === null ? null : seen.place - COMMITTED_WITHIN,
          queued: isWide,
          named,
          limit: MOST_AT_ONCE,
        })
        const found = new Map(jobs.map((job) => [job.id, job]))
        const changed = jobs.filter((job) => !isSame(seen.jobs.get(job.id), job))
        const gone = jobs.length < MOST_AT_ONCE ? named.filter((id) => !found.has(id)) : []
        const balance = withCredits ? creditsUpdate(yield* ledger.balance(account)) : null
        const credits = balance === null ? null : JSON.stringify(balance)
        const updates: ReadonlyArray<AccountUpdate> = [
          ...changed.map(jobUpdate),
          ...gone.map(deletedUpdate),
          ...(jobs.length === MOST_AT_ONCE && changed.length > 0
            ? [{ event: "missed", data: {} } as const]
            : []),
          ...(balance !== null && credits !== seen.credits ? [balance] : []),
        ]
        const waiting = [...seen.jobs].filter(([id, { status }]) => status === "queued" && !gone.includes(id))
        const next: Seen = {
          jobs: new Map([...waiting, ...found]),
          credits,
          place: now,
          isBusy: jobs.some(({ status, phase }) => status === "queued" && phase !== "waiting"),
        }
        return [Chunk.fromIterable(placed(updates, seen.place ?? now, now)), next] as const
      })

      const follow = (
        account: AccountId,
        { after, credits }: { readonly after: number | null; readonly credits: boolean },
      ): Stream.Stream<AccountEvent, AccountNotFound | StorageError> =>
        Stream.unwrapScoped(
          Effect.gen(function* () {
            const hints: Hints = { named: new Set(), isWide: true }
            const signal = yield* Queue.sliding<void>(1)
            yield* gather(account, hints, signal)
            const first: Seen = { jobs: new Map(), credits: null, place: after, isBusy: false }
            const pause = ({ isBusy }: Seen) =>
              Effect.zipRight(
                Effect.sleep(LEAST_PAUSE),
                TimeLimit.option(Queue.take(signal), isBusy ? BUSY_PAUSE : quietPause),
              )
            return Stream.paginateChunkEffect({ seen: first, isFirst: true }, ({ seen, isFirst }) =>
              (isFirst ? Effect.void : pause(seen)).pipe(
                Effect.zipRight(look(account, seen, hints, credits)),
                Effect.map(
                  ([events, next]) => [events, Option.some({ seen: next, isFirst: false })] as const,
                ),
              ),
            )
          }),
        )

      return AccountEvents.of({ follow })
    }),
  )
}
