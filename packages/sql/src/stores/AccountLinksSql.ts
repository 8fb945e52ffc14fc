import { type AccountId, AccountNotFound } from "@earmark/core/jobs"
import { AccountLinks } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"

interface LinkRow extends QueryResultRow {
  readonly account_id: AccountId
}

const FIND = "SELECT account_id FROM account_link WHERE issuer = $1 AND subject = $2"

const make = Effect.gen(function* () {
  const database = yield* Database

  return AccountLinks.of({
    find: ({ issuer, subject }) =>
      Effect.map(
        database.query<LinkRow>("AccountLinks.find", FIND, [issuer, subject], { reads: true }),
        ([row]) => row?.account_id ?? null,
      ),

    link: ({ issuer, subject }, account) =>
      database.transaction("AccountLinks.link", (run) =>
        Effect.gen(function* () {
          yield* run(
            `INSERT INTO account_link (issuer, subject, account_id, created_at)
            SELECT $1, $2, id, earmark_now() FROM account WHERE id = $3 ON CONFLICT DO NOTHING`,
            [issuer, subject, account],
          )
          const [row] = yield* run<LinkRow>(FIND, [issuer, subject])
          return row === undefined ? yield* new AccountNotFound({ id: account }) : row.account_id
        }),
      ),

    unlink: ({ issuer, subject }) =>
      Effect.map(
        database.query(
          "AccountLinks.unlink",
          "DELETE FROM account_link WHERE issuer = $1 AND subject = $2 RETURNING account_id",
          [issuer, subject],
        ),
        (rows) => rows.length > 0,
      ),
  })
})

export const layer = Layer.effect(AccountLinks, make)
