import { type AccountId, type JobId, JobNotFound } from "@earmark/core/jobs"
import { PublicationStore, type PublishedJob, type StoredPublication } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { ofAccount } from "../database/statements.js"
import { type JobRow, jobOf } from "./jobRows.js"

interface PublicationRow extends QueryResultRow {
  readonly publication_account: AccountId
  readonly publication_job: JobId
  readonly token: string
  readonly show_id: string | null
  readonly formats: StoredPublication["formats"]
  readonly published_at: number
}

// The columns of its job stand beside them in some statements.
const COLUMNS =
  "p.account_id AS publication_account, p.job_id AS publication_job, p.token, p.show_id, p.formats, p.published_at"

const publicationOf = (row: PublicationRow): StoredPublication => ({
  account: row.publication_account,
  job: row.publication_job,
  token: row.token,
  show: row.show_id,
  formats: row.formats,
  publishedAt: row.published_at,
})

const publishedOf = (row: PublicationRow & JobRow): PublishedJob => ({
  publication: publicationOf(row),
  job: jobOf(row),
})

const PUT = `INSERT INTO publication AS p (job_id, account_id, token, show_id, formats, published_at)
SELECT id, account_id, $3, $4, $5, earmark_now() FROM job WHERE id = $2 AND ${ofAccount("account_id", "$1")} FOR NO KEY UPDATE
ON CONFLICT (job_id) DO UPDATE SET formats = excluded.formats, show_id = excluded.show_id
RETURNING ${COLUMNS}`

// The job first, as everything that changes both: two changes at once would wait for one another for ever.
const REMOVE = `WITH own AS MATERIALIZED (SELECT id FROM job WHERE id = $2 AND ${ofAccount("account_id", "$1")} FOR NO KEY UPDATE)
DELETE FROM publication WHERE job_id = (SELECT id FROM own)`

const GET = `SELECT ${COLUMNS} FROM publication p WHERE p.job_id = $2 AND p.account_id = $1`

const FIND = `SELECT j.*, ${COLUMNS} FROM publication p JOIN job j ON j.id = p.job_id WHERE p.token = $1`

const OF_SHOW = `SELECT j.*, ${COLUMNS} FROM publication p JOIN job j ON j.id = p.job_id WHERE p.show_id = $1
ORDER BY j.created_at DESC, j.id DESC LIMIT $2`

const make = Effect.gen(function* () {
  const database = yield* Database

  return PublicationStore.of({
    put: ({ account, job, token, show, formats }) =>
      Effect.gen(function* () {
        const values = [account, job, token, show, formats]
        const [row] = yield* database.query<PublicationRow>("PublicationStore.put", PUT, values, { account })
        return row === undefined ? yield* new JobNotFound({ id: job }) : publicationOf(row)
      }),

    get: (account, job) =>
      Effect.map(
        database.query<PublicationRow>("PublicationStore.get", GET, [account, job], { reads: true, account }),
        ([row]) => (row === undefined ? null : publicationOf(row)),
      ),

    remove: (account, job) =>
      Effect.asVoid(database.query("PublicationStore.remove", REMOVE, [account, job], { account })),

    find: (token) =>
      Effect.map(
        database.query<PublicationRow & JobRow>("PublicationStore.find", FIND, [token], { reads: true }),
        ([row]) => (row === undefined ? null : publishedOf(row)),
      ),

    ofShow: (show, limit) =>
      Effect.map(
        database.query<PublicationRow & JobRow>("PublicationStore.ofShow", OF_SHOW, [show, limit], {
          reads: true,
        }),
        (rows) => rows.map(publishedOf),
      ),
  })
})

export const layer = Layer.effect(PublicationStore, make)
