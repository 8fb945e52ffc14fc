import type { AccountId } from "@earmark/core/jobs"
import { GRANT, type NewOAuthRecord, type OAuthRecord, OAuthRecords } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { json } from "../database/json.js"
import { pageOf, pageSql } from "./pages.js"

interface RecordRow extends QueryResultRow {
  readonly model: string
  readonly id: string
  readonly payload: OAuthRecord["payload"]
  readonly account_id: AccountId | null
  readonly grant_id: string | null
  readonly uid: string | null
  readonly created_at: number
  readonly expires_at: number | null
  readonly consumed_at: number | null
}

const recordOf = (row: RecordRow): OAuthRecord => ({
  model: row.model,
  id: row.id,
  payload: row.payload,
  account: row.account_id,
  grant: row.grant_id,
  uid: row.uid,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  consumedAt: row.consumed_at,
})

const first = (rows: ReadonlyArray<RecordRow>): OAuthRecord | null => {
  const [row] = rows
  return row === undefined ? null : recordOf(row)
}

const IS_IN = "(expires_at IS NULL OR expires_at > earmark_now())"

// What belongs to a grant goes in only while the grant is there; whoever revokes it waits for us, or we for them.
const WRITE = `WITH held AS (
  SELECT id FROM oauth_record WHERE model = '${GRANT}' AND id = $5 AND ${IS_IN} FOR KEY SHARE
) INSERT INTO oauth_record AS known (model, id, payload, account_id, grant_id, uid, created_at, expires_at)
SELECT $1, $2, $3::jsonb, $4, $5, $6, earmark_now(), earmark_now() + $7 * interval '1 second'
WHERE $5::text IS NULL OR EXISTS (SELECT 1 FROM held)
ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, account_id = excluded.account_id,
  grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at,
  created_at = CASE WHEN known.expires_at <= earmark_now() THEN excluded.created_at ELSE known.created_at END,
  consumed_at = CASE WHEN known.expires_at <= earmark_now() THEN NULL ELSE known.consumed_at END`

const SAVE = WRITE
const ADD = `${WRITE} WHERE known.expires_at <= earmark_now() RETURNING known.id`

const valuesOf = ({ model, id, payload, account, grant, uid, seconds }: NewOAuthRecord) => [
  model,
  id,
  json(payload),
  account ?? null,
  grant ?? null,
  uid ?? null,
  seconds,
]

const make = Effect.gen(function* () {
  const database = yield* Database

  return OAuthRecords.of({
    save: (record) => Effect.asVoid(database.query("OAuthRecords.save", SAVE, valuesOf(record))),

    add: (record) =>
      Effect.map(database.query("OAuthRecords.add", ADD, valuesOf(record)), (rows) => rows.length > 0),

    find: (model, id) =>
      Effect.map(
        database.query<RecordRow>(
          "OAuthRecords.find",
          `SELECT * FROM oauth_record WHERE model = $1 AND id = $2 AND ${IS_IN}`,
          [model, id],
          { reads: true },
        ),
        first,
      ),

    findByUid: (model, uid) =>
      Effect.map(
        database.query<RecordRow>(
          "OAuthRecords.findByUid",
          `SELECT * FROM oauth_record WHERE model = $1 AND uid = $2 AND ${IS_IN} LIMIT 1`,
          [model, uid],
          { reads: true },
        ),
        first,
      ),

    list: (model, { account, ...page }) => {
      const { rest, sorted, values } = pageSql(page, 3)
      return Effect.map(
        database.query<RecordRow>(
          "OAuthRecords.list",
          `SELECT * FROM oauth_record WHERE model = $1 AND ($2::text IS NULL OR account_id = $2) AND ${IS_IN}
          AND ${rest} ${sorted}`,
          [model, account, ...values],
          { reads: true, ...(account !== null && { account }) },
        ),
        (rows) => pageOf(rows.map(recordOf), page.limit),
      )
    },

    consume: (model, id) =>
      Effect.map(
        database.query(
          "OAuthRecords.consume",
          `UPDATE oauth_record SET consumed_at = earmark_now()
          WHERE model = $1 AND id = $2 AND consumed_at IS NULL AND ${IS_IN} RETURNING id`,
          [model, id],
        ),
        (rows) => rows.length > 0,
      ),

    renew: (model, id, seconds) =>
      Effect.asVoid(
        database.query(
          "OAuthRecords.renew",
          `UPDATE oauth_record SET expires_at = earmark_now() + $3 * interval '1 second'
          WHERE model = $1 AND id = $2 AND ${IS_IN}`,
          [model, id, seconds],
        ),
      ),

    remove: (model, id) =>
      Effect.asVoid(
        database.query("OAuthRecords.remove", "DELETE FROM oauth_record WHERE model = $1 AND id = $2", [
          model,
          id,
        ]),
      ),

    revokeGrant: (grant) =>
      database.transaction("OAuthRecords.revokeGrant", (run) =>
        Effect.gen(function* () {
          // First the grant alone: what is being stored for it is then there to be seen by the next statement.
          const gone = yield* run<{ readonly is_in: boolean }>(
            `DELETE FROM oauth_record WHERE model = '${GRANT}' AND id = $1 RETURNING ${IS_IN} AS is_in`,
            [grant],
          )
          yield* run("DELETE FROM oauth_record WHERE grant_id = $1", [grant])
          return gone.some(({ is_in }) => is_in)
        }),
      ),

    sweep: (limit) =>
      Effect.map(
        database.query(
          "OAuthRecords.sweep",
          `DELETE FROM oauth_record WHERE (model, id) IN (
            SELECT model, id FROM oauth_record WHERE expires_at <= earmark_now()
            LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`,
          [limit],
        ),
        (rows) => rows.length,
      ),
  })
})

export const layer = Layer.effect(OAuthRecords, make)
