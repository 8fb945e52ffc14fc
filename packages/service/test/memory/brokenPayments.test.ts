import { paymentCases } from "@earmark/testkit/contracts"
import { Effect } from "effect"
import { PaymentStore } from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, newestFirst, suiteCatches } from "./breaking.js"

const payments = breaksOf(PaymentStore, paymentCases)
const paymentTables = breaksOfTables(paymentCases)

suiteCatches("PaymentStore", [
  payments(
    "takes a repeat for the order",
    (whole) => ({ begin: (order) => Effect.as(whole.begin(order), order) }),
    "an order is kept as it was written first",
  ),
  payments(
    "forgets a payment when it is told of another state",
    (whole) => ({
      get: (id) =>
        Effect.map(whole.get(id), (order) =>
          order === null || order.state === "succeeded" ? order : { ...order, payment: null },
        ),
    }),
    "what succeeded stays so",
  ),
  payments(
    "knows one payer for all providers",
    (whole) => ({
      payer: (account) => whole.payer(account, "all"),
      putPayer: (account, _, payer) => whole.putPayer(account, "all", payer),
    }),
    "who paid last for an account is its payer",
  ),
  payments(
    "shows purchases to everybody",
    (whole) => ({
      purchase: (_, id) => whole.get(id),
      purchases: ({ isOpen }, page) => whole.purchases({ isOpen }, page),
    }),
    "purchases of an account are its own",
  ),
  paymentTables(
    "takes a charge for a purchase",
    ({ payments: table }) => ({ payments: keeping(table, (row) => ({ ...row, reload: null })) }),
    "purchases of an account are its own",
    "open purchases are those",
  ),
  payments(
    "asks nobody whether they are paid",
    ({ purchases }) => ({ purchases: ({ account }, page) => purchases({ account }, page) }),
    "open purchases are those",
  ),
  payments(
    "reads an order and then decides it",
    ({ get, follow }) => ({
      decide: (id, state) =>
        Effect.gen(function* () {
          const order = yield* get(id)
          yield* Effect.yieldNow()
          if (order?.state !== "pending") return order
          yield* follow(id, { state, payment: null })
          return { ...order, state }
        }),
    }),
    "an order that is pending is paid or canceled",
  ),
  payments(
    "has one order of purchases",
    ({ purchases }) => ({ purchases: (filter, page) => purchases(filter, newestFirst(page)) }),
    "each purchase of an account is listed oldest first",
  ),
])
