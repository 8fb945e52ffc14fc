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

const KINDS = { pending: "warn", processing: "", action_required: "warn", succeeded: "good", failed: "bad" }

const COLUMNS: ReadonlyArray<Column<Order>> = [
  {
    head: text.columns.account,
    isMain: true,
    cell: ({ id, account, account_name, account_email }) => (
      <>
        <Link to="operatorAccount" params={{ id: account }} class="title">
          <bdi>{account_name}</bdi>
        </Link>
        <small>
          {account_email !== null && account_email !== account_name && `${account_email} · `}
          {id}
        </small>
      </>
    ),
  },
  { head: text.columns.order, cell: ({ id }) => <strong>{orderOf(id)}</strong> },
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

const canConfirm = ({ provider, state }: Order): boolean => provider === "manual" && state !== "succeeded"

interface OrderTableProps {
  readonly of: ReadonlyArray<Order>
  readonly isOpen: boolean
  readonly onConfirm: (order: Order) => void
}

const OrderTable = ({ of, isOpen, onConfirm }: OrderTableProps) =>
  of.length === 0 ? (
    <Empty title={isOpen ? text.emptyOpen : text.empty} />
  ) : (
    <DataTable
      columns={COLUMNS}
      of={of}
      keyOf={({ id }) => id}
      action={(order): ComponentChildren =>
        canConfirm(order) && (
          <Button label={text.confirmLabel(orderOf(order.id))} onClick={() => onConfirm(order)}>
            {text.confirm}
          </Button>
        )
      }
    />
  )

export const Page = () => {
  const isOpen = query.value.get("state") !== "all"
  const loaded = orders.use([isOpen, cursorOf()])
  const confirmed = useSignal<Order | null>(null)
  return (
    <Frame
      title={text.title}
      text={text.text}
      page="operatorOrders"
      commands={[
        `earmark credits purchases${isOpen ? " --open" : ""}`,
        'earmark credits confirm "$PURCHASE"',
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
              onConfirm={(order) => {
                confirmed.value = order
              }}
            />
            <Turn next={next_cursor} />
          </>
        )}
      </LoadedView>
      {confirmed.value !== null && (
        <Confirm
          title={text.confirmTitle(
            orderOf(confirmed.value.id),
            confirmed.value.credits,
            confirmed.value.account_name,
          )}
          text={text.confirmText}
          action={text.confirm}
          onClose={() => {
            confirmed.value = null
          }}
          onConfirm={async () => {
            await act("credits.confirm", { id: confirmed.peek()?.id })
            loaded.reload()
          }}
        />
      )}
    </Frame>
  )
}
