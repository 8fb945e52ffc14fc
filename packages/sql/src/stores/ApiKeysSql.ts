import { type AccountId, type KeyId, KeyNotFound } from "@earmark/core/jobs"
import type { ApiKey, Scope } from "@earmark/core/wire"
import { ApiKeys, type Bearer } from "@earmark/service"
import { DateTime, Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { makeLookup } from "../database/makeLookup.js"
import { timeText, timeTextOrNull } from "../database/values.js"
import { pageOf, pageSql } from "./pages.js"

interface KeyRow extends QueryResultRow {
  readonly id: KeyId
  readonly account_id: AccountId
  readonly name: string | null
  readonly prefix: string
  readonly last4: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expires_at: number | null
  readonly last_used_at: number | null
  readonly revoked_at: number | null
  readonly created_at: number
  readonly monthly_credits: number | null
  readonly monthly_credits_used: number
}

interface FoundKey extends QueryResultRow {
  readonly id: KeyId
  readonly account_id: AccountId
  readonly scopes: ReadonlyArray<Scope>
  readonly hash: Uint8Array
}

const moment = (milliseconds: number | null): DateTime.Utc | null =>
  milliseconds === null ? null : DateTime.unsafeMake(milliseconds)

const keyOf = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  last4: row.last4,
  scopes: row.scopes,
  expiresAt: moment(row.expires_at),
  lastUsedAt: moment(row.last_used_at),
  createdAt: DateTime.unsafeMake(row.created_at),
  revokedAt: moment(row.revoked_at),
  monthlyCredits: row.monthly_credits,
  monthlyCreditsUsed: row.monthly_credits_used,
})

const SHOWN = `id, account_id, name, prefix, last4, scopes, expires_at, last_used_at, revoked_at, created_at, monthly_credits,
  (SELECT key_used FROM key_spending(account_id, id)) AS monthly_credits_used`

// Every request comes through here: one look at the index, and a write at most once a minute. A row that somebody else is writing is
// left alone: keys that are noted together would otherwise wait for each other in a ring. As it waits for no lock, it is sent as what reads is.
const FIND = `WITH found AS (
  SELECT id, account_id, scopes, hash, last_used_at FROM api_key
  WHERE hash = ANY ($1) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > earmark_now())
), used AS (
  UPDATE api_key SET last_used_at = earmark_now() WHERE id IN (
    SELECT k.id FROM api_key k JOIN found f ON f.id = k.id
    WHERE f.last_used_at IS NULL OR f.last_used_at <= earmark_now() - interval '1 minute' FOR UPDATE OF k SKIP LOCKED)
) SELECT id, account_id, scopes, hash FROM found`

const PATCH = `name = CASE WHEN $3 THEN $4 ELSE name END,
  monthly_credits = CASE WHEN $5 THEN $6::bigint ELSE monthly_credits END`

const oneOf =
  (id: KeyId) =>
  ([row]: ReadonlyArray<KeyRow>): Effect.Effect<ApiKey, KeyNotFound> =>
    row === undefined ? Effect.fail(new KeyNotFound({ id })) : Effect.succeed(keyOf(row))

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString("hex")

const make = Effect.gen(function* () {
  const database = yield* Database
  const find = yield* makeLookup<Uint8Array, FoundKey>(database, {
    operation: "ApiKeys.find",
    text: FIND,
    values: (hashes) => [hashes.map((hash) => Buffer.from(hash))],
    nameOfKey: hex,
    nameOfRow: ({ hash }) => hex(hash),
  })

  /** Changes one key of the account; what is changed is its own text, with values from the third on. */
  const change = (
    operation: string,
    changed: string,
    account: AccountId,
    id: KeyId,
    values: ReadonlyArray<string | number | boolean | null> = [],
  ) =>
    Effect.flatMap(
      database.query<KeyRow>(
        operation,
        `UPDATE api_key SET ${changed} WHERE id = $2 AND account_id = $1 RETURNING ${SHOWN}`,
        [account, id, ...values],
        { account },
      ),
      oneOf(id),
    )

  return ApiKeys.of({
    create: (key) =>
      Effect.map(
        database.query<KeyRow>(
          "ApiKeys.create",
          `INSERT INTO api_key (id, account_id, name, hash, prefix, last4, scopes, expires_at, created_at, monthly_credits)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING ${SHOWN}`,
          [
            key.id,
            key.account,
            key.name,
            Buffer.from(key.hash),
            key.prefix,
            key.last4,
            key.scopes,
            timeTextOrNull(key.expiresAt),
            timeText(key.createdAt),
            key.monthlyCredits,
          ],
          { account: key.account },
        ),
        ([row]) => (row === undefined ? null : keyOf(row)),
      ),

    find: (hash) =>
      Effect.map(find(hash), (row): Bearer | null =>
        row === undefined ? null : { key: row.id, account: row.account_id, scopes: row.scopes },
      ),

    list: (account, page) => {
      const { rest, sorted, values } = pageSql(page, 2)
      return Effect.map(
        database.query<KeyRow>(
          "ApiKeys.list",
          `SELECT ${SHOWN} FROM api_key WHERE account_id = $1 AND ${rest} ${sorted}`,
          [account, ...values],
          { reads: true, account },
        ),
        (rows) => {
          const { items, next } = pageOf(
            rows.map((row) => ({ id: row.id, createdAt: row.created_at, key: keyOf(row) })),
            page.limit,
          )
          return { items: items.map(({ key }) => key), next }
        },
      )
    },

    get: (account, id) =>
      Effect.flatMap(
        database.query<KeyRow>(
          "ApiKeys.get",
          `SELECT ${SHOWN} FROM api_key WHERE account_id = $1 AND id = $2`,
          [account, id],
          { reads: true, account },
        ),
        oneOf(id),
      ),

    update: (account, id, { name, monthlyCredits }) =>
      change("ApiKeys.update", PATCH, account, id, [
        name !== undefined,
        name ?? null,
        monthlyCredits !== undefined,
        monthlyCredits ?? null,
      ]),

    revoke: (account, id) =>
      change("ApiKeys.revoke", "revoked_at = coalesce(revoked_at, earmark_now())", account, id),
  })
})

export const layer = Layer.effect(ApiKeys, make)
