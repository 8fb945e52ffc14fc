/** What was sent to an endpoint; the address says which of it. */
import type { WebhookDelivery } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { deliveries } from "../../data.js"
import { agoOf, momentOf } from "../../format.js"
import { Link, query, setQuery } from "../../router.js"
import { Dates, dayIn, spanOf } from "../../widgets/Dates.js"
import { Choice, Field } from "../../widgets/Field.js"
import { More } from "../../widgets/More.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"
import { DeliveryState } from "./EndpointState.js"

const text = words.webhooks
const STATES = ["all", "succeeded", "pending", "failed"] as const
const NOTHING_YET = { title: text.noDeliveries, text: text.noDeliveriesText }
const EVENTS = ["transcription.completed", "transcription.failed", "webhook.test"] as const

const Row = ({ of }: { readonly of: WebhookDelivery }) => (
  <tr>
    <td class="main">
      <Link to="delivery" params={{ id: of.endpoint_id, delivery: of.id }} class="title">
        {of.event_type}
      </Link>
      <small>{of.event_id}</small>
    </td>
    <td>
      <DeliveryState state={of.state} />
      {of.state === "pending" && of.next_at !== null && <small>{text.nextTry(agoOf(of.next_at))}</small>}
    </td>
    <td class="number" data-label={text.columns.attempts}>
      {of.attempts}
    </td>
    <td class="number" data-label={text.columns.answer}>
      {of.last_status ?? text.noAnswer}
    </td>
    <td class="number soft" title={momentOf(of.created_at)}>
      {agoOf(of.created_at)}
    </td>
  </tr>
)

export const Deliveries = ({ id }: { readonly id: string }) => {
  const limit = useSignal(50)
  const given = query.value
  const state = STATES.find((each) => each === given.get("state")) ?? "all"
  const event = EVENTS.find((each) => each === given.get("event"))
  const [from, to] = [dayIn(given, "from"), dayIn(given, "to")]
  const isNarrowed = state !== "all" || event !== undefined || from !== null || to !== null
  const narrowed = { ...spanOf(from, to), event_type: event, ...(state !== "all" && { status: state }) }
  const loaded = deliveries.use([id, { limit: limit.value, ...narrowed }], { every: 3000 })
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
        <Field label={text.columns.event}>
          {(facts) => (
            <select
              {...facts}
              value={event ?? ""}
              onChange={({ currentTarget }) => setQuery({ event: currentTarget.value })}
            >
              <option value="">{text.anyEvent}</option>
              {EVENTS.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Field>
        <Dates from={from} to={to} />
      </div>
      <LoadedView of={loaded}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty {...(isNarrowed ? { title: text.noneFits } : NOTHING_YET)} />
          ) : (
            <>
              <div class="table">
                <table class="cards">
                  <thead>
                    <tr>
                      <th scope="col">{text.columns.event}</th>
                      <th scope="col">{text.columns.state}</th>
                      <th scope="col" class="number">
                        {text.columns.attempts}
                      </th>
                      <th scope="col" class="number">
                        {text.columns.answer}
                      </th>
                      <th scope="col" class="number">
                        {text.columns.time}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.map((each) => (
                      <Row key={each.id} of={each} />
                    ))}
                  </tbody>
                </table>
              </div>
              {has_more && <More limit={limit} />}
            </>
          )
        }
      </LoadedView>
    </section>
  )
}
