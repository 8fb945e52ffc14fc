import { JobNotFound } from "@earmark/core/jobs"
import {
  askedExtras,
  type ClaimedExtra,
  type ExtraLease,
  type ExtraName,
  ExtraStore,
  type ExtraValue,
  endedExtra,
  type MadeExtra,
  NothingToEdit,
  StoreSettings,
} from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { json } from "../database/json.js"
import { Wakes } from "../database/Wakes.js"
import { type JobRow, jobOf } from "./jobRows.js"
import { lockJobs, writeChanges } from "./writeChanges.js"

/** The columns of a name: an extra that has no language has an empty one. */
const columnsOf = ({ kind, language }: ExtraName): readonly [string, string] => [kind, language ?? ""]

type MadeRow = QueryResultRow & ExtraValue & { readonly revision: number }

const madeOf = ({ kind, language, value, revision }: MadeRow): MadeExtra => {
  switch (kind) {
    case "summary":
      return { kind, language: null, value, revision }
    case "chapters":
      return { kind, language: null, value, revision }
    case "translation":
      return { kind, language, value, revision }
  }
}

interface ClaimedRow extends JobRow {
  readonly extra_kind: ExtraName["kind"]
  readonly extra_language: string
  readonly extra_token: string
  readonly extra_attempts: number
}

const nameOf = ({ extra_kind: kind, extra_language: language }: ClaimedRow): ExtraName =>
  kind === "translation" ? { kind, language } : { kind, language: null }

const ASK = `INSERT INTO transcript_extra AS x (job_id, kind, language, account_id, due_at)
SELECT t.job_id, n.kind, n.language, t.account_id, earmark_now()
FROM transcript t CROSS JOIN unnest($2::text[], $3::text[]) AS n (kind, language) WHERE t.job_id = $1
ON CONFLICT (job_id, kind, language) DO UPDATE SET due_at = excluded.due_at, attempts = 0, lease_token = NULL, lease_until = NULL
WHERE x.due_at IS NULL`

const HAS_CONTENT = "SELECT 1 FROM transcript WHERE job_id = $1"

const MADE = `SELECT kind, language, value, revision FROM transcript_extra
WHERE job_id = $2 AND account_id = $1 AND value IS NOT NULL ORDER BY kind, language`

const DUE = "x.due_at <= earmark_now() AND (x.lease_until IS NULL OR x.lease_until <= earmark_now())"

const CLAIM = `WITH due AS (
  SELECT x.job_id, x.kind, x.language, x.due_at, row_number() OVER (PARTITION BY x.account_id ORDER BY x.due_at) AS turn
  FROM transcript_extra x WHERE ${DUE}
), taken AS (
  SELECT x.job_id, x.kind, x.language FROM transcript_extra x JOIN due d USING (job_id, kind, language) WHERE ${DUE}
  ORDER BY d.turn, d.due_at LIMIT $1 FOR UPDATE OF x SKIP LOCKED
), claimed AS (
  UPDATE transcript_extra x SET lease_token = gen_random_uuid()::text, attempts = x.attempts + 1,
    lease_until = earmark_now() + $2::double precision * interval '1 second'
  FROM taken t WHERE x.job_id = t.job_id AND x.kind = t.kind AND x.language = t.language
  RETURNING x.job_id, x.kind, x.language, x.lease_token, x.attempts
) SELECT j.*, c.kind AS extra_kind, c.language AS extra_language, c.lease_token AS extra_token, c.attempts AS extra_attempts
FROM claimed c JOIN job j ON j.id = c.job_id`

const HELD = `job_id = $1 AND kind = $2 AND language = $3 AND lease_token = $4 AND lease_until > earmark_now()`

const EXTEND = `UPDATE transcript_extra SET lease_until = earmark_now() + $5::double precision * interval '1 second'
WHERE ${HELD} RETURNING job_id`

const RELEASE = `UPDATE transcript_extra SET lease_token = NULL, lease_until = NULL, attempts = greatest(0, attempts - 1) WHERE ${HELD}`

const FINISH = `UPDATE transcript_extra SET value = coalesce($5::jsonb, value), revision = CASE WHEN $5::jsonb IS NULL THEN revision ELSE $6 END,
  due_at = NULL, lease_token = NULL, lease_until = NULL WHERE ${HELD} RETURNING job_id`

const heldValues = ({ job, name, token }: ExtraLease) => [job, ...columnsOf(name), token]

const make = Effect.gen(function* () {
  const database = yield* Database
  const wakes = yield* Wakes
  const settings = yield* StoreSettings

  return ExtraStore.of({
    ask: (account, id, names) =>
      database
        .transaction(
          "ExtraStore.ask",
          (run) =>
            Effect.gen(function* () {
              const { jobs, changes } = yield* lockJobs(run, [id], settings)
              const job = jobs[0]?.job
              if (job?.account !== account) return yield* new JobNotFound({ id })
              const content = job.state.status === "done" ? yield* run(HAS_CONTENT, [id]) : []
              if (content.length === 0) return yield* new NothingToEdit()
              const columns = names.map(columnsOf)
              yield* run(ASK, [id, columns.map(([kind]) => kind), columns.map(([, language]) => language)])
              const asked = askedExtras(job, names)
              if (Object.keys(asked).length === 0) return job
              const changed = changes.change(job, asked)
              yield* writeChanges(run, changes)
              return changed
            }),
          { account },
        )
        .pipe(Effect.zipLeft(wakes.wake("extras"))),

    made: (account, job) =>
      Effect.map(
        database.query<MadeRow>("ExtraStore.made", MADE, [account, job], { reads: true, account }),
        (rows) => rows.map(madeOf),
      ),

    claim: ({ want, leaseSeconds }) =>
      Effect.map(
        database.query<ClaimedRow>("ExtraStore.claim", CLAIM, [want, leaseSeconds]),
        (rows): ReadonlyArray<ClaimedExtra> =>
          rows.map((row) => ({
            lease: { job: row.id, name: nameOf(row), token: row.extra_token },
            job: jobOf(row),
            attempt: row.extra_attempts,
          })),
      ),

    extend: (lease, leaseSeconds) =>
      Effect.map(
        database.query("ExtraStore.extend", EXTEND, [...heldValues(lease), leaseSeconds]),
        (rows) => rows.length > 0,
      ),

    release: (lease) =>
      Effect.zipRight(database.query("ExtraStore.release", RELEASE, heldValues(lease)), wakes.wake("extras")),

    finish: (lease, outcome) =>
      database.transaction("ExtraStore.finish", (run) =>
        Effect.gen(function* () {
          const { jobs, changes } = yield* lockJobs(run, [lease.job], settings)
          const job = jobs[0]?.job
          if (job === undefined) return false
          const [value, revision] =
            outcome.status === "done" ? [json(outcome.made.value), outcome.made.revision] : [null, null]
          const rows = yield* run(FINISH, [...heldValues(lease), value, revision])
          if (rows.length === 0) return false
          changes.change(job, endedExtra(job, lease.name, outcome))
          yield* writeChanges(run, changes)
          return true
        }),
      ),

    wakeUps: wakes.wakeUps("extras"),
  })
})

export const layer = Layer.effect(ExtraStore, make)
