import type { EditOperation } from "@earmark/core/edits"
import { JobNotFound } from "@earmark/core/jobs"
import { wordCountOf } from "@earmark/core/transcripts"
import {
  EditStore,
  type NewRevision,
  NothingToEdit,
  RevisionConflict,
  type StoredRevision,
  StoreSettings,
} from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database, type Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { searchableIn } from "./contents.js"
import { guarded, makeTurns } from "./guards.js"
import { findWords } from "./keepContent.js"
import { lockJobs, writeChanges } from "./writeChanges.js"

interface RevisionRow extends QueryResultRow {
  readonly revision: number
  readonly operations: ReadonlyArray<EditOperation> | null
  readonly undoes: number | null
  readonly made_at: number
  readonly made_by: string | null
}

const revisionOf = (row: RevisionRow): StoredRevision => ({
  revision: row.revision,
  change: row.undoes === null ? { operations: row.operations ?? [] } : { undo: row.undoes },
  madeAt: row.made_at,
  madeBy: row.made_by,
})

const COLUMNS = "revision, operations, undoes, made_at, made_by"

const APPEND = `INSERT INTO transcript_edit (job_id, account_id, revision, operations, undoes, made_at, made_by)
SELECT $1, $2, $3, $4::jsonb, $5, earmark_now(), $6 FROM transcript WHERE job_id = $1 RETURNING revision`

const FIRST = `SELECT ${COLUMNS} FROM transcript_edit WHERE job_id = $2 AND account_id = $1 AND revision <= $3
ORDER BY revision`

const LATEST = `SELECT ${COLUMNS} FROM transcript_edit
WHERE job_id = $2 AND account_id = $1 AND ($3::integer IS NULL OR revision < $3) ORDER BY revision DESC LIMIT $4`

const make = Effect.gen(function* () {
  const database = yield* Database
  const settings = yield* StoreSettings
  const inTurn = makeTurns()

  const write = Effect.fnUntraced(function* (
    run: Run,
    { account, job: id, base, change, madeBy, lines }: NewRevision,
    words: ReadonlyArray<string>,
  ) {
    const { jobs, changes } = yield* lockJobs(run, [id], settings)
    const job = jobs[0]?.job
    if (job?.account !== account) return yield* new JobNotFound({ id })
    if (job.state.status !== "done") return yield* new NothingToEdit()
    if (job.revision !== base) return yield* new RevisionConflict({ revision: job.revision })
    const revision = base + 1
    const [operations, undoes] = "undo" in change ? [null, change.undo] : [json(change.operations), null]
    const rows = yield* run(APPEND, [id, account, revision, operations, undoes, madeBy])
    if (rows.length === 0) return yield* new NothingToEdit()
    changes.change(job, { revision, wordCount: wordCountOf(lines) })
    yield* writeChanges(run, changes)
    yield* findWords(run, job, words)
  })

  return EditStore.of({
    append: (made, { guard }) =>
      Effect.suspend(() => {
        const { account, lines } = made
        const words = searchableIn(lines)
        return inTurn(
          account,
          guard,
          database.transaction(
            "EditStore.append",
            (run) => guarded(run, account, guard, () => write(run, made, words)),
            { account },
          ),
        )
      }),

    first: (account, job, count) =>
      Effect.map(
        database.query<RevisionRow>("EditStore.first", FIRST, [account, job, count], {
          reads: true,
          account,
        }),
        (rows) => rows.map(revisionOf),
      ),

    latest: (account, job, { before, limit }) =>
      Effect.map(
        database.query<RevisionRow>("EditStore.latest", LATEST, [account, job, before, limit], {
          reads: true,
          account,
        }),
        (rows) => rows.map(revisionOf),
      ),
  })
})

export const layer = Layer.effect(EditStore, make)
