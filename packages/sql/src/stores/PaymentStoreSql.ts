import type { AccountId, ReloadId } from "@earmark/core/jobs"
import type { PaymentState } from "@earmark/core/wire"
import {
  LOOK_AFTER_SECONDS,
  LOOKED_AFTER_DAYS,
  type PageRequest,
  type Payer,
  type PaymentOrder,
  PaymentStore,
  type PurchaseFilter,
} from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { timeText } from "../database/values.js"
import { pageOf, pageSql } from "./pages.js"

interface OrderRow extends QueryResultRow {
  readonly id: string
  readonly provider: string
  readonly account_id: AccountId
  readonly credits: number
  readonly amount: number | null
  readonly currency: string | null
  readonly customer: string | null
  readonly method: string | null
  readonly reload_id: ReloadId | null
  readonly attempt: number | null
  readonly state: PaymentState
  readonly payment: string | null
  readonly checkout: string | null
  readonly created_at: number
}

interface PayerRow extends QueryResultRow, Payer {}

const orderOf = (row: OrderRow): PaymentOrder => ({
  id: row.id,
  provider: row.provider,
  account: row.account_id,
  credits: row.credits,
  money: row.amount === null || row.currency === null ? null : { amount: row.amount, currency: row.currency },
  payer: row.customer === null ? null : { customer: row.customer, method: row.method },
  reload: row.reload_id === null || row.attempt === null ? null : { id: row.reload_id, attempt: row.attempt },
  state: row.state,
  payment: row.payment,
  checkout: row.checkout,
  createdAt: row.created_at,
})

const BEGIN = `INSERT INTO payment (id, provider, account_id, credits, amount, currency, customer, method, reload_id, attempt,
    state, payment, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING`

const UNDECIDED = "state NOT IN ('succeeded', 'canceled')"

// A canceled order that is paid all the same was not canceled.
const FOLLOW = `UPDATE payment SET state = $2, payment = coalesce($3, payment),
    look_at = CASE WHEN $2 IN ('succeeded', 'canceled') THEN NULL ELSE look_at END
  WHERE id = $1 AND (${UNDECIDED} OR (state = 'canceled' AND $2 = 'succeeded')) RETURNING id`

const OPENED = `UPDATE payment SET checkout = $2,
    look_at = coalesce(look_at, earmark_now() + $3::double precision * interval '1 second')
  WHERE id = $1 AND ${UNDECIDED} RETURNING id`

const TAKE_UNDECIDED = `UPDATE payment SET look_at = CASE
    WHEN earmark_now() - created_at > $4::double precision * interval '1 day' THEN NULL
    ELSE earmark_now() + greatest($3::double precision * interval '1 second', earmark_now() - created_at) END
  WHERE id IN (SELECT id FROM payment WHERE look_at <= earmark_now() AND provider = $1
    ORDER BY look_at, id LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING *`

const GET = "SELECT * FROM payment WHERE id = $1"

// Of an account by its index. Of all accounts the whole table is read: that is for operators, and for nobody who waits.
const listSql = ({ account, isOpen }: PurchaseFilter, page: PageRequest) => {
  const { rest, sorted, values } = pageSql(page, account === undefined ? 1 : 2)
  const wanted = ["reload_id IS NULL", rest]
    .concat(account === undefined ? [] : ["account_id = $1"])
    .concat(isOpen === true ? [UNDECIDED] : [])
  return {
    text: `SELECT * FROM payment WHERE ${wanted.join(" AND ")} ${sorted}`,
    values: account === undefined ? values : [account, ...values],
  }
}

const make = Effect.gen(function* () {
  const database = yield* Database

  return PaymentStore.of({
    begin: (order) =>
      database.transaction(
        "PaymentStore.begin",
        (run) =>
          Effect.gen(function* () {
            const { account, id, money, payer, reload } = order
            yield* run(BEGIN, [
              id,
              order.provider,
              account,
              order.credits,
              money?.amount ?? null,
              money?.currency ?? null,
              payer?.customer ?? null,
              payer?.method ?? null,
              reload?.id ?? null,
              reload?.attempt ?? null,
              order.state,
              order.payment,
              timeText(order.createdAt),
            ])
            const [row] = yield* run<OrderRow>(GET, [id])
            return row === undefined ? order : orderOf(row)
          }),
        { account: order.account },
      ),

    get: (id) =>
      Effect.map(database.query<OrderRow>("PaymentStore.get", GET, [id], { reads: true }), ([row]) =>
        row === undefined ? null : orderOf(row),
      ),

    purchase: (account, id) =>
      Effect.map(
        database.query<OrderRow>(
          "PaymentStore.purchase",
          "SELECT * FROM payment WHERE id = $2 AND account_id = $1 AND reload_id IS NULL",
          [account, id],
          { reads: true, account },
        ),
        ([row]) => (row === undefined ? null : orderOf(row)),
      ),

    purchases: (filter, page) => {
      const { account } = filter
      const { text, values } = listSql(filter, page)
      return Effect.map(
        database.query<OrderRow>("PaymentStore.purchases", text, values, {
          reads: true,
          ...(account !== undefined && { account }),
        }),
        (rows) => pageOf(rows.map(orderOf), page.limit),
      )
    },

    follow: (id, { state, payment }) =>
      Effect.asVoid(database.query("PaymentStore.follow", FOLLOW, [id, state, payment])),

    // Callers of one order wait for the lock of its row, and the later ones find it decided.
    decide: (id, state) =>
      database.transaction("PaymentStore.decide", (run) =>
        Effect.gen(function* () {
          yield* run("UPDATE payment SET state = $2 WHERE id = $1 AND state = 'pending'", [id, state])
          const [row] = yield* run<OrderRow>(GET, [id])
          return row === undefined ? null : orderOf(row)
        }),
      ),

    opened: (id, checkout) =>
      Effect.asVoid(database.query("PaymentStore.opened", OPENED, [id, checkout, LOOK_AFTER_SECONDS])),

    takeUndecided: (provider, limit) =>
      Effect.map(
        database.query<OrderRow>("PaymentStore.takeUndecided", TAKE_UNDECIDED, [
          provider,
          limit,
          LOOK_AFTER_SECONDS,
          LOOKED_AFTER_DAYS,
        ]),
        (rows) => rows.map(orderOf),
      ),

    payer: (account, provider) =>
      Effect.map(
        database.query<PayerRow>(
          "PaymentStore.payer",
          "SELECT customer, method FROM payer WHERE account_id = $1 AND provider = $2",
          [account, provider],
          { reads: true, account },
        ),
        ([row]) => (row === undefined ? null : { customer: row.customer, method: row.method }),
      ),

    putPayer: (account, provider, { customer, method }) =>
      Effect.asVoid(
        database.query(
          "PaymentStore.putPayer",
          `INSERT INTO payer (account_id, provider, customer, method) VALUES ($1, $2, $3, $4)
          ON CONFLICT (account_id, provider) DO UPDATE SET customer = excluded.customer, method = excluded.method
          RETURNING account_id`,
          [account, provider, customer, method],
          { account },
        ),
      ),
  })
})

export const layer = Layer.effect(PaymentStore, make)
