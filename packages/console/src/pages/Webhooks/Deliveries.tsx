/** What was sent to an endpoint; the address says which of it. */
import type { WebhookDelivery } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { deliveries } from "../../data.js"
import { Link, query, setQuery } from "../../router.js"
import { Ago } from "../../widgets/Ago.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { Dates, dayIn, spanOf } from "../../widgets/Dates.js"
import { Choice, SelectField } from "../../widgets/Field.js"
import { More } from "../../widgets/More.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { DeliveryState, FOLLOWING, nextTryOf } from "./EndpointState.js"

const text = building.webhooks
const STATES = ["all", "succeeded", "pending", "delivering", "failed", "canceled"] as const
const NOTHING_YET = { title: text.noDeliveries, text: text.noDeliveriesText }
const EVENTS = ["transcription.completed", "transcription.failed", "webhook.test"] as const

const COLUMNS: ReadonlyArray<Column<WebhookDelivery>> = [
  {
    head: text.columns.event,
    isMain: true,
    cell: ({ id, endpoint_id, event_type, event_id }) => (
      <>
        <Link to="delivery" params={{ id: endpoint_id, delivery: id }} class="title">
          {event_type}
        </Link>
        <small>{event_id}</small>
      </>
    ),
  },
  {
    head: text.columns.state,
    cell: ({ state, next_at }) => (
      <>
        <DeliveryState state={state} />
        {state === "pending" && next_at !== null && <small>{text.nextTry(nextTryOf(next_at))}</small>}
      </>
    ),
  },
  { head: text.columns.attempts, isNumber: true, cell: ({ attempts }) => attempts },
  { head: text.columns.answer, isNumber: true, cell: ({ last_status }) => last_status ?? text.noAnswer },
  { head: text.columns.time, isNumber: true, cell: ({ created_at }) => <Ago of={created_at} /> },
]

export const Deliveries = ({ id }: { readonly id: string }) => {
  const limit = useSignal(50)
  const given = query.value
  const state = STATES.find((each) => each === given.get("state")) ?? "all"
  const event = EVENTS.find((each) => each === given.get("event"))
  const [from, to] = [dayIn(given, "from"), dayIn(given, "to")]
  const isNarrowed = state !== "all" || event !== undefined || from !== null || to !== null
  const narrowed = { ...spanOf(from, to), event_type: event, ...(state !== "all" && { status: state }) }
  const loaded = deliveries.use([id, { limit: limit.value, ...narrowed }], { every: FOLLOWING })
  return (
    <section>
      <div class="filters">
        <h2>{text.deliveries}</h2>
        <Choice
          label={text.filter}
          value={state}
          options={STATES.map((each) => [each, each === "all" ? text.anyState : text.states[each]])}
          onChange={(next) => setQuery({ state: next === "all" ? null : next })}
        />
        <SelectField
          label={text.columns.event}
          value={event ?? ""}
          options={[["", text.anyEvent], ...EVENTS.map((each) => [each, each] as const)]}
          onChange={(next) => setQuery({ event: next })}
        />
        <Dates from={from} to={to} />
      </div>
      <LoadedView of={loaded}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty {...(isNarrowed ? { title: text.noneFits } : NOTHING_YET)} />
          ) : (
            <>
              <DataTable columns={COLUMNS} of={data} keyOf={(each) => each.id} />
              {has_more && <More limit={limit} />}
            </>
          )
        }
      </LoadedView>
    </section>
  )
}
