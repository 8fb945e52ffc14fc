import type { OperatorPurchase, Purchase } from "@earmark/core/wire"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { Page } from "../../help.js"
import { ask } from "../../remote/ask.js"
import { type Column, factsOf, tableOf } from "../../table.js"
import { where } from "../remote/options.js"
import { administer, anyAccount, json, moment, orNone, pageOf, paging, show } from "./administer.js"

type PurchaseWire = typeof Purchase.Encoded
type OperatorWire = typeof OperatorPurchase.Encoded

const open = Options.boolean("open").pipe(
  Options.withDescription(
    "Those that are not paid yet, of every account or of the one that is named, for operators beside the store.",
  ),
)

const id = Args.text({ name: "purchase" }).pipe(Args.withDescription("The id of the purchase: pur_..."))

const columns: ReadonlyArray<Column<PurchaseWire>> = [
  { head: "purchase", cell: (purchase) => purchase.id },
  { head: "time", cell: (purchase) => moment(purchase.created_at) },
  { head: "minutes", cell: (purchase) => purchase.credits },
  { head: "state", cell: (purchase) => purchase.state },
]

const ofOperator: ReadonlyArray<Column<OperatorWire>> = [
  ...columns,
  { head: "provider", cell: (purchase) => purchase.provider },
  { head: "account", cell: (purchase) => purchase.account },
]

const table = <Row>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>): string =>
  rows.length === 0 ? "" : tableOf(columns, rows)

const none = orNone("There is no such purchase.")

export const purchases = Command.make(
  "purchases",
  { account: anyAccount, open, ...where, ...paging, json },
  (options) =>
    Effect.gen(function* () {
      if (options.open || Option.isSome(options.account)) {
        const page = yield* pageOf(options, ({ limit, cursor }) =>
          administer((all) => all.listPurchases, {
            account: Option.getOrNull(options.account),
            open: options.open,
            limit: String(limit),
            cursor,
          }),
        )
        return yield* show(page, options.json, ({ data }) => table(ofOperator, data), none)
      }
      const page = yield* pageOf(options, ({ limit, cursor }) =>
        ask(options, async (client, { signal }) => client.credits.purchases({ limit, cursor }, { signal })),
      )
      yield* show(page, options.json, ({ data }) => table(columns, data), none)
    }),
).pipe(Command.withDescription("List what was bought, newest first, and how the payment of each stands."))

export const confirm = Command.make("confirm", { id, json }, (options) =>
  Effect.gen(function* () {
    const confirmed = yield* administer((all) => all.confirmPurchase, { id: options.id })
    yield* show(confirmed, options.json, (purchase) =>
      factsOf([
        ["purchase", purchase.id],
        ["account", purchase.account],
        ["minutes", purchase.credits],
        ["state", purchase.state],
      ]),
    )
  }),
).pipe(
  Command.withDescription(
    "Say that a purchase was paid, where no payment provider does: its minutes are added, once.",
  ),
)

export const purchasePages: ReadonlyArray<Page> = [
  {
    name: "purchases",
    descriptor: purchases.descriptor,
    examples: ["earmark credits purchases", "earmark credits purchases --open"],
    children: [],
  },
  {
    name: "confirm",
    descriptor: confirm.descriptor,
    examples: ['earmark credits confirm "$PURCHASE"'],
    children: [],
  },
]
