import { keyOfSealed } from "@earmark/core/signing"
import { SERVER_KEYS, StoreKey } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"

interface KeyRow extends QueryResultRow {
  readonly id: string
}

interface SealedRow extends KeyRow {
  readonly sealed: string | null
}

const FIND = "SELECT id FROM secrets_key"
const CLAIM = "INSERT INTO secrets_key (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id"

const make = Effect.gen(function* () {
  const database = yield* Database

  return StoreKey.of({
    claim: Effect.fnUntraced(function* (id) {
      const find = database.query<KeyRow>("StoreKey.claim", FIND, [], { reads: true })
      const [known] = yield* find
      if (known !== undefined) return known.id
      yield* database.query("StoreKey.claim", CLAIM, [id])
      const [first] = yield* find
      return first?.id ?? id
    }),

    replace: (id) =>
      database.transaction("StoreKey.replace", (run) =>
        Effect.gen(function* () {
          const claimed = yield* run(CLAIM, [id])
          const [known] = yield* run<KeyRow>(`${FIND} FOR UPDATE`)
          yield* run("UPDATE secrets_key SET id = $1, recorded_at = earmark_now() WHERE id <> $1", [id])
          const kept = yield* run<SealedRow>(
            "SELECT id, payload->>'sealed' AS sealed FROM oauth_record WHERE model = $1 FOR UPDATE",
            [SERVER_KEYS],
          )
          const others = kept.filter(({ sealed }) => keyOfSealed(sealed) !== id).map((row) => row.id)
          yield* run("DELETE FROM oauth_record WHERE model = $1 AND id = ANY($2)", [SERVER_KEYS, others])
          return { before: claimed.length > 0 ? null : (known?.id ?? null), forgotten: others.length }
        }),
      ),
  })
})

export const layer = Layer.effect(StoreKey, make)
