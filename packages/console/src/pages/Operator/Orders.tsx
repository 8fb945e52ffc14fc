/** What was ordered, and what is not paid yet. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { moneyOf, numberOf, orderOf } from "../../format.js"
import { Link, query, setQuery } from "../../router.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { Confirm } from "../../widgets/Dialog.js"
import { Choice } from "../../widgets/Field.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { operating } from "../../words/operating.js"
import { act, type Order, orders } from "./data.js"
import { cursorOf, Frame, Turn } from "./Frame.js"

const text = operating.orders

const KINDS = {
  pending: "warn",
  processing: "",
  action_required: "warn",
  succeeded: "good",
  failed: "bad",
  canceled: "",
}

const COLUMNS: ReadonlyArray<Column<Order>> = [
  {
    head: text.columns.account,
    isMain: true,
    cell: ({ account, account_name, account_email }) => (
      <>
        <Link to="operatorAccount" params={{ id: account }} class="title">
          <bdi>{account_name}</bdi>
        </Link>
        {account_email !== null && account_email !== account_name && <small>{account_email}</small>}
      </>
    ),
  },
  {
    head: text.columns.order,
    cell: ({ id }) => (
      <>
        <strong>{orderOf(id)}</strong> <small>{id}</small>
      </>
    ),
  },
  {
    head: text.columns.time,
    cell: ({ created_at }) => <Ago of={created_at} />,
  },
  {
    head: text.columns.state,
    cell: ({ state }) => <span class={`badge ${KINDS[state]}`}>{building.billing.states[state]}</span>,
  },
  { head: text.columns.provider, cell: ({ provider }) => provider },
  { head: text.columns.credits, isNumber: true, cell: ({ credits }) => numberOf(credits) },
  {
    head: text.columns.price,
    isNumber: true,
    cell: ({ price }) => (price === null || price === undefined ? "–" : moneyOf(price)),
  },
]

/** What the operator says of an order, in the place of a provider. */
type Decision = "confirm" | "dismiss"

/** One that is not written down as paid yet, after a crash, is confirmed again. */
const decisionsOn = ({ provider, state }: Order): ReadonlyArray<Decision> =>
  provider !== "manual"
    ? []
    : state === "pending"
      ? ["confirm", "dismiss"]
      : state === "processing"
        ? ["confirm"]
        : []

interface OrderTableProps {
  readonly of: ReadonlyArray<Order>
  readonly isOpen: boolean
  readonly onDecide: (order: Order, decision: Decision) => void
}

const OrderTable = ({ of, isOpen, onDecide }: OrderTableProps) =>
  of.length === 0 ? (
    <Empty title={isOpen ? text.emptyOpen : text.empty} />
  ) : (
    <DataTable
      columns={COLUMNS}
      of={of}
      keyOf={({ id }) => id}
      action={(order): ComponentChildren => (
        <span class="choices">
          {decisionsOn(order).map((decision) => (
            <Button
              key={decision}
              label={text[`${decision}Label`](orderOf(order.id))}
              onClick={() => onDecide(order, decision)}
            >
              {text[decision]}
            </Button>
          ))}
        </span>
      )}
    />
  )

interface AskProps {
  readonly order: Order
  readonly decision: Decision
  readonly onClose: () => void
  readonly onDone: () => void
}

const Ask = ({ order: { id, credits, account_name }, decision, onClose, onDone }: AskProps) => (
  <Confirm
    title={text[`${decision}Title`](orderOf(id), credits, account_name)}
    text={text[`${decision}Text`]}
    action={text[decision]}
    {...(decision === "dismiss" && { keep: building.billing.keep })}
    onClose={onClose}
    onConfirm={async () => {
      await act(`credits.${decision}`, { id })
      onDone()
    }}
  />
)

export const Page = () => {
  const isOpen = query.value.get("state") !== "all"
  const loaded = orders.use([isOpen, cursorOf()])
  const asked = useSignal<{ readonly order: Order; readonly decision: Decision } | null>(null)
  return (
    <Frame
      title={text.title}
      text={text.text}
      page="operatorOrders"
      commands={[
        `earmark credits purchases${isOpen ? " --open" : ""}`,
        'earmark credits confirm "$PURCHASE"',
        'earmark credits dismiss "$PURCHASE"',
      ]}
      answer={loaded.value}
    >
      <Choice
        label={text.filter}
        value={isOpen ? "open" : "all"}
        options={[
          ["open", text.open],
          ["all", text.all],
        ]}
        onChange={(state) => setQuery({ state: state === "all" ? state : null, cursor: null })}
      />
      <LoadedView of={loaded}>
        {({ data, next_cursor }) => (
          <>
            <OrderTable
              of={data}
              isOpen={isOpen}
              onDecide={(order, decision) => {
                asked.value = { order, decision }
              }}
            />
            <Turn next={next_cursor} />
          </>
        )}
      </LoadedView>
      {asked.value !== null && (
        <Ask
          {...asked.value}
          onClose={() => {
            asked.value = null
          }}
          onDone={loaded.reload}
        />
      )}
    </Frame>
  )
}
