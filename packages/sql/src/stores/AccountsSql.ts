import { type AccountId, AccountNotFound } from "@earmark/core/jobs"
import type { Account, PlanLimits } from "@earmark/core/wire"
import { Accounts } from "@earmark/service"
import { DateTime, Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { json } from "../database/json.js"
import { makeLookup } from "../database/makeLookup.js"
import { timeText } from "../database/values.js"
import { lockBalance, postLocked } from "./balances.js"
import { pageOf, pageSql } from "./pages.js"

interface AccountRow extends QueryResultRow {
  readonly id: AccountId
  readonly name: string
  readonly email: string | null
  readonly is_paid: boolean
  readonly limits: PlanLimits
  readonly created_at: number
}

const NO_LIMITS: PlanLimits = { maxMediaMinutes: null, maxUploadBytes: null, maxWaitingJobs: null }

const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  name: row.name,
  email: row.email,
  isPaid: row.is_paid,
  limits: row.limits,
  createdAt: DateTime.unsafeMake(row.created_at),
})

const found = (id: AccountId) => (row: AccountRow | undefined) =>
  row === undefined ? Effect.fail(new AccountNotFound({ id })) : Effect.succeed(accountOf(row))

const one =
  (id: AccountId) =>
  ([row]: ReadonlyArray<AccountRow>) =>
    found(id)(row)

const make = Effect.gen(function* () {
  const database = yield* Database
  const find = yield* makeLookup<AccountId, AccountRow>(database, {
    operation: "Accounts.get",
    text: "SELECT * FROM account WHERE id = ANY ($1)",
    values: (ids) => [ids],
    nameOfKey: (id) => id,
    nameOfRow: ({ id }) => id,
  })

  return Accounts.of({
    create: ({ id, name, email, freeCredits, createdAt }) =>
      database
        .transaction("Accounts.create", (run) =>
          Effect.gen(function* () {
            const made = yield* run<AccountRow>(
              `INSERT INTO account (id, name, email, limits, created_at) VALUES ($1, $2, $3, $4, $5)
              ON CONFLICT DO NOTHING RETURNING *`,
              [id, name, email, json(NO_LIMITS), timeText(createdAt)],
            )
            if (made.length > 0) {
              yield* run("INSERT INTO credit_balance (account_id) VALUES ($1)", [id])
              const balance = yield* lockBalance(run, id)
              if (freeCredits > 0) {
                yield* postLocked(run, id, balance, { type: "sign_up", account: id, amount: freeCredits })
              }
            }
            return yield* one(id)(yield* run<AccountRow>("SELECT * FROM account WHERE id = $1", [id]))
          }),
        )
        // Credits are given here, and the account is there: neither can be.
        .pipe(Effect.catchTags({ AccountNotFound: Effect.die, OutOfCredits: Effect.die })),

    get: (id) => Effect.flatMap(find(id), found(id)),

    // Only the operator asks, when an account is created: it needs no index.
    findByEmail: (email) =>
      Effect.map(
        database.query<AccountRow>(
          "Accounts.findByEmail",
          "SELECT * FROM account WHERE lower(email) = lower($1) ORDER BY created_at, id LIMIT 1",
          [email],
          { reads: true },
        ),
        ([row]) => (row === undefined ? null : accountOf(row)),
      ),

    list: (page) => {
      const { rest, sorted, values } = pageSql(page, 1)
      return Effect.map(
        database.query<AccountRow>("Accounts.list", `SELECT * FROM account WHERE ${rest} ${sorted}`, values, {
          reads: true,
        }),
        (rows) => {
          const { items, next } = pageOf(
            rows.map((row) => ({ id: row.id, createdAt: row.created_at, account: accountOf(row) })),
            page.limit,
          )
          return { items: items.map(({ account }) => account), next }
        },
      )
    },

    rename: (id, name) =>
      Effect.flatMap(
        database.query<AccountRow>(
          "Accounts.rename",
          "UPDATE account SET name = $2 WHERE id = $1 RETURNING *",
          [id, name],
        ),
        one(id),
      ),

    setLimits: (id, limits) =>
      Effect.flatMap(
        database.query<AccountRow>(
          "Accounts.setLimits",
          "UPDATE account SET limits = $2 WHERE id = $1 RETURNING *",
          [id, json(limits)],
        ),
        one(id),
      ),
  })
})

export const layer = Layer.effect(Accounts, make)
