import { type AccountId, MediaRefUnknown } from "@earmark/core/jobs"
import { type StoredUpload, UploadStore } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { timeText } from "../database/values.js"
import { guarded, makeTurns } from "./guards.js"

interface UploadRow extends QueryResultRow {
  readonly media_ref: string
  readonly account_id: AccountId
  readonly content_type: string
  readonly bytes: number
  readonly state: StoredUpload["state"]
  readonly etag: string | null
  readonly expires_at: number
}

const uploadOf = (row: UploadRow): StoredUpload => ({
  mediaRef: row.media_ref,
  account: row.account_id,
  contentType: row.content_type,
  bytes: row.bytes,
  state: row.state,
  etag: row.etag,
  expiresAt: row.expires_at,
})

const make = Effect.gen(function* () {
  const database = yield* Database
  const inTurn = makeTurns()

  return UploadStore.of({
    create: ({ mediaRef, account, contentType, bytes, state, etag, expiresAt }, { guard }) =>
      inTurn(
        account,
        guard,
        database.transaction(
          "UploadStore.create",
          (run) =>
            guarded(run, account, guard, () =>
              Effect.asVoid(
                run(
                  `INSERT INTO upload (media_ref, account_id, content_type, bytes, state, etag, expires_at)
                  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
                  [mediaRef, account, contentType, bytes, state, etag, timeText(expiresAt)],
                ),
              ),
            ),
          { account },
        ),
      ),

    get: (account, mediaRef) =>
      Effect.flatMap(
        database.query<UploadRow>(
          "UploadStore.get",
          "SELECT * FROM upload WHERE media_ref = $2 AND account_id = $1 AND expires_at > earmark_now()",
          [account, mediaRef],
          { reads: true, account },
        ),
        ([row]) => (row === undefined ? Effect.fail(new MediaRefUnknown()) : Effect.succeed(uploadOf(row))),
      ),

    markStored: (mediaRef, etag) =>
      Effect.map(
        database.query(
          "UploadStore.markStored",
          `UPDATE upload SET state = 'stored', etag = $2
          WHERE media_ref = $1 AND state = 'pending' AND expires_at > earmark_now() RETURNING media_ref`,
          [mediaRef, etag],
        ),
        (rows) => rows.length > 0,
      ),

    markUsed: (mediaRef) =>
      Effect.asVoid(
        database.query(
          "UploadStore.markUsed",
          "UPDATE upload SET state = 'used' WHERE media_ref = $1 AND state = 'stored'",
          [mediaRef],
        ),
      ),

    sweep: (limit) =>
      Effect.map(
        database.query<UploadRow>(
          "UploadStore.sweep",
          `DELETE FROM upload WHERE media_ref IN (
            SELECT media_ref FROM upload WHERE state <> 'used' AND expires_at <= earmark_now()
            LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING media_ref`,
          [limit],
        ),
        (rows) => rows.map((row) => row.media_ref),
      ),
  })
})

export const layer = Layer.effect(UploadStore, make)
