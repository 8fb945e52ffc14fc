import type { AccountId } from "@earmark/core/jobs"
import { MediaRefUnknown } from "@earmark/core/wire"
import { type StoredUpload, UploadStore } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { makeLookup } from "../database/makeLookup.js"
import { timeText } from "../database/values.js"
import { guarded, makeTurns } from "./guards.js"

interface UploadRow extends QueryResultRow {
  readonly media_ref: string
  readonly account_id: AccountId
  readonly filename: string | null
  readonly content_type: string
  readonly bytes: number
  readonly state: StoredUpload["state"]
  readonly etag: string | null
  readonly expires_at: number
}

const uploadOf = (row: UploadRow): StoredUpload => ({
  mediaRef: row.media_ref,
  account: row.account_id,
  filename: row.filename,
  contentType: row.content_type,
  bytes: row.bytes,
  state: row.state,
  etag: row.etag,
  expiresAt: row.expires_at,
})

interface AskedUpload {
  readonly account: AccountId
  readonly mediaRef: string
}

const FIND = `SELECT u.* FROM unnest($1::text[], $2::text[]) AS asked (account_id, media_ref)
JOIN upload u ON u.media_ref = asked.media_ref AND u.account_id = asked.account_id WHERE u.expires_at > earmark_now()`

// In order, so that processes that mark the same ones do not wait for each other in a ring. Done twice it does nothing.
const MARK_USED = `UPDATE upload SET state = 'used' WHERE media_ref IN (
  SELECT media_ref FROM upload WHERE media_ref = ANY ($1) AND state = 'stored' ORDER BY media_ref FOR UPDATE
) RETURNING media_ref`

const make = Effect.gen(function* () {
  const database = yield* Database
  const inTurn = makeTurns()
  const find = yield* makeLookup<AskedUpload, UploadRow>(database, {
    operation: "UploadStore.get",
    text: FIND,
    values: (asked) => [asked.map(({ account }) => account), asked.map(({ mediaRef }) => mediaRef)],
    nameOfKey: ({ account, mediaRef }) => `${account} ${mediaRef}`,
    nameOfRow: ({ account_id: account, media_ref: mediaRef }) => `${account} ${mediaRef}`,
    accountOf: ({ account }) => account,
  })
  const markUsed = yield* makeLookup<string, Pick<UploadRow, "media_ref">>(database, {
    operation: "UploadStore.markUsed",
    text: MARK_USED,
    values: (mediaRefs) => [mediaRefs],
    nameOfKey: (mediaRef) => mediaRef,
    nameOfRow: ({ media_ref: mediaRef }) => mediaRef,
    writes: true,
  })

  return UploadStore.of({
    create: ({ mediaRef, account, filename, contentType, bytes, state, etag, expiresAt }, { guard }) =>
      inTurn(
        account,
        guard,
        database.transaction(
          "UploadStore.create",
          (run) =>
            guarded(run, account, guard, () =>
              Effect.asVoid(
                run(
                  `INSERT INTO upload (media_ref, account_id, filename, content_type, bytes, state, etag, expires_at)
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
                  [mediaRef, account, filename, contentType, bytes, state, etag, timeText(expiresAt)],
                ),
              ),
            ),
          { account },
        ),
      ),

    get: (account, mediaRef) =>
      Effect.flatMap(find({ account, mediaRef }), (row) =>
        row === undefined ? Effect.fail(new MediaRefUnknown()) : Effect.succeed(uploadOf(row)),
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

    markUsed: (mediaRef) => Effect.asVoid(markUsed(mediaRef)),

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
