import type { OperatorPurchase, Purchase } from "@earmark/core/wire"
import { Effect } from "effect"
import type { Given } from "../../grammar/Grammar.js"
import type { credits } from "../../grammar/operating.js"
import { ask } from "../../remote/target.js"
import type { Column } from "../../table.js"
import { administer, besideStore, listed, moment, showFacts } from "./administer.js"

type PurchaseWire = Omit<typeof Purchase.Encoded, "price">
type OperatorWire = typeof OperatorPurchase.Encoded

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

const NONE = "There are no purchases."

export const purchases = (options: Given<typeof credits.commands.purchases>) =>
  Effect.gen(function* () {
    if (options.open || options.account !== undefined) {
      yield* besideStore(options)
      const { account, open } = options
      return yield* listed(
        options,
        ({ limit, cursor }) =>
          administer((all) => all.listPurchases, {
            account: account ?? null,
            open,
            limit: String(limit),
            cursor,
          }),
        () => ofOperator,
        open ? "No purchase is open." : NONE,
        { "--account": account },
      )
    }
    yield* listed(
      options,
      ({ limit, cursor }) =>
        ask(options, async (client, call) => client.credits.purchases({ limit, cursor }, call)),
      () => columns,
      NONE,
    )
  })

const facts = (purchase: OperatorWire) =>
  [
    ["purchase", purchase.id],
    ["account", purchase.account],
    ["minutes", purchase.credits],
    ["state", purchase.state],
  ] as const

export const confirm = ({ id, json }: Given<typeof credits.commands.confirm>) =>
  Effect.flatMap(
    administer((all) => all.confirmPurchase, { id }),
    (purchase) => showFacts(purchase, json, facts),
  )

export const dismiss = ({ id, json }: Given<typeof credits.commands.dismiss>) =>
  Effect.flatMap(
    administer((all) => all.dismissPurchase, { id }),
    (purchase) => showFacts(purchase, json, facts),
  )
