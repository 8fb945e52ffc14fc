import { KeyLimitReached, LedgerMisused, OutOfCredits } from "@earmark/core/credits"
import type { AccountId } from "@earmark/core/jobs"
import {
  type EventListener,
  freshJob,
  type Guarded,
  type IdempotencyKeyReused,
  type JobStore,
  type NewJob,
  type StorageError,
  type StoreSettings,
  TooManyJobs,
} from "@earmark/service"
import { Effect, Either } from "effect"
import type { Database, Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { ofAccount } from "../database/statements.js"
import type { Wakes } from "../database/Wakes.js"
import { encodeContent } from "./contents.js"
import { createBatch } from "./createBatch.js"
import { guarded, makeTurns, readGuard } from "./guards.js"
import { newRow } from "./jobRows.js"
import { keepContent } from "./keepContent.js"
import type { CreatedRow, Request } from "./makeJobWriter.js"
import { changesOver, writeChanges } from "./writeChanges.js"

const created = (
  job: NewJob,
  row: CreatedRow,
  limit: number | null,
): Effect.Effect<Guarded, IdempotencyKeyReused | TooManyJobs | KeyLimitReached | OutOfCredits> => {
  switch (row.outcome) {
    case "created":
      return Effect.succeed({ type: "done" })
    case "too_many":
      return Effect.fail(new TooManyJobs({ limit: limit ?? 0 }))
    case "out_of_credits": {
      const { balance_posted: balance, balance_held: held } = row
      if (balance === null || held === null) {
        return Effect.die(new LedgerMisused({ reason: "account_unknown" }))
      }
      return Effect.fail(
        new OutOfCredits({ balance, available: Math.max(0, balance - held), needed: job.hold }),
      )
    }
    case "key_limit_reached": {
      const { key_limit, key_used, key_resets } = row
      const known = { limit: key_limit ?? 0, used: key_used ?? 0, resetsAt: key_resets ?? 0 }
      return Effect.fail(new KeyLimitReached({ ...known, needed: job.hold }))
    }
    default:
      return Effect.map(readGuard(row), (replayed) => replayed ?? { type: "done" as const })
  }
}

const isStored = (run: Run, table: "job" | "batch", account: AccountId, id: string) =>
  Effect.map(
    run(`SELECT 1 FROM ${table} WHERE id = $1 AND ${ofAccount("account_id", "$2")}`, [id, account]),
    (rows) => rows.length > 0,
  )

const MAKE = "INSERT INTO job SELECT * FROM jsonb_populate_record(NULL::job, $1)"

/** How jobs come to be: single ones, those that are done at once, and whole feeds. */
export const createJobs = (
  database: Database["Type"],
  wakes: Wakes["Type"],
  settings: StoreSettings["Type"],
  write: (request: Request) => Effect.Effect<CreatedRow, StorageError>,
): Pick<JobStore["Type"], "create" | "createDone" | "createBatch"> => {
  const inTurn = makeTurns()

  const create = (job: NewJob, options: Omit<Request, "job">) => {
    const once = write({ job, ...options }).pipe(
      Effect.flatMap((row) => created(job, row, options.maxWaiting)),
      Effect.tap(({ type }) => (type === "done" ? wakes.wake("jobs") : Effect.void)),
    )
    return inTurn(job.account, options.guard, once)
  }

  const contextOf = (run: Run, account: AccountId) =>
    Effect.map(
      run<{ readonly moment: number; readonly endpoints: ReadonlyArray<EventListener> | null }>(
        `SELECT earmark_now() AS moment, (SELECT jsonb_agg(jsonb_build_object('id', id, 'events', events) ORDER BY id)
          FROM webhook_endpoint WHERE account_id = $1 AND enabled) AS endpoints`,
        [account],
      ),
      ([row]) => changesOver({ listeners: () => row?.endpoints ?? [] }, row?.moment ?? 0, settings),
    )

  return {
    create,

    createDone: (job, finished, { guard }) =>
      Effect.gen(function* () {
        const encoded = yield* encodeContent(finished.content)
        const write = database.transaction(
          "JobStore.createDone",
          (run) =>
            guarded(run, job.account, guard, () =>
              Effect.gen(function* () {
                if (yield* isStored(run, "job", job.account, job.id)) return
                const changes = yield* contextOf(run, job.account)
                const stored = freshJob(job, { batch: null })
                // A new job can always be completed: a refusal would be a defect.
                const done = Either.getOrThrow(changes.finish(stored, { ...finished, credits: 0 }))
                // It is written as it ended, in one go.
                changes.jobs.delete(job.id)
                yield* run(MAKE, [json(newRow(done))])
                yield* keepContent(run, done, encoded)
                yield* writeChanges(run, changes)
              }),
            ),
          { account: job.account },
        )
        const result = yield* inTurn(job.account, guard, write)
        yield* wakes.wake("deliveries")
        return result
      }),

    createBatch: (batch) =>
      Effect.zipLeft(
        inTurn(
          batch.account,
          batch.guard,
          database.transaction(
            "JobStore.createBatch",
            (run) =>
              guarded(run, batch.account, batch.guard, () =>
                Effect.gen(function* () {
                  if (yield* isStored(run, "batch", batch.account, batch.id)) return
                  yield* createBatch(run, batch, settings)
                }),
              ),
            { account: batch.account },
          ),
        ),
        wakes.wake("jobs"),
      ),
  }
}
