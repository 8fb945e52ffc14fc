/** One endpoint, and what was sent to it. */
import type { WebhookDelivery, WebhookEndpoint } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useState } from "preact/hooks"
import { addressOf, type Params } from "../../addresses.js"
import { deliveries, endpoint, endpoints } from "../../data.js"
import { agoOf, momentOf } from "../../format.js"
import { Link, navigate, query, setQuery } from "../../router.js"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Confirm, Dialog, useWork } from "../../widgets/Dialog.js"
import { Choice, Field } from "../../widgets/Field.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, Failure, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"
import { Secret } from "./AddEndpoint.js"
import { DeliveryState, EndpointState } from "./EndpointState.js"

const text = words.webhooks
const STATES = ["all", "succeeded", "pending", "failed"] as const
const GRACES = ["86400", "3600", "604800", "0"] as const

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

const Deliveries = ({ id }: { readonly id: string }) => {
  const wanted = query.value.get("state")
  const state = STATES.find((each) => each === wanted) ?? "all"
  const loaded = deliveries.use([id, { limit: 50, ...(state !== "all" && { status: state }) }], {
    every: 3000,
  })
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
      </div>
      <LoadedView of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={text.noDeliveries} text={text.noDeliveriesText} />
          ) : (
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
          )
        }
      </LoadedView>
    </section>
  )
}

const Rotate = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const [secret, setSecret] = useState<string | null>(null)
  const work = useWork()
  if (secret !== null)
    return (
      <Dialog title={text.secret} onClose={onClose} isFirm>
        <Secret value={secret} onClose={onClose} />
      </Dialog>
    )
  const rotate = (form: HTMLFormElement) =>
    work.run(async () => {
      const grace = Number(new FormData(form).get("grace"))
      setSecret((await earmark.webhooks.rotateSecret(id, { grace_seconds: grace })).secret)
    })
  return (
    <Dialog title={text.rotate} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void rotate(event.currentTarget)
        }}
      >
        <p>{text.rotateText}</p>
        <Field label={text.grace} error={work.error}>
          {(facts) => (
            <select {...facts} name="grace">
              {GRACES.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {text.graces[seconds]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <footer>
          <Button onClick={onClose}>{words.app.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={work.isBusy}>
            {text.rotate}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

const Buttons = ({ of, onChange }: { readonly of: WebhookEndpoint; readonly onChange: () => void }) => {
  const asked = useSignal<"rotate" | "delete" | null>(null)
  const work = useWork()
  const close = () => {
    asked.value = null
  }
  const test = () =>
    work.run(async () => {
      const { id } = await earmark.webhooks.test(of.id)
      navigate(addressOf("delivery", { id: of.id, delivery: id }))
    })
  const enable = () =>
    work.run(async () => {
      await earmark.webhooks.update(of.id, { enabled: !of.enabled })
      onChange()
    })
  return (
    <>
      {work.error !== undefined && <Failure text={work.error} />}
      <Button kind="primary" isBusy={work.isBusy} onClick={() => void test()}>
        {text.test}
      </Button>
      <Button
        onClick={() => {
          asked.value = "rotate"
        }}
      >
        {text.rotate}
      </Button>
      <Button isBusy={work.isBusy} onClick={() => void enable()}>
        {of.enabled ? text.disable : text.enable}
      </Button>
      <Button
        kind="danger"
        onClick={() => {
          asked.value = "delete"
        }}
      >
        {text.delete}
      </Button>
      {asked.value === "rotate" && <Rotate id={of.id} onClose={close} />}
      {asked.value === "delete" && (
        <Confirm
          title={text.deleteTitle}
          text={`${of.url}. ${text.deleteText}`}
          action={text.delete}
          onClose={close}
          onConfirm={async () => {
            await earmark.webhooks.delete(of.id)
            endpoints.refreshAll()
            navigate(addressOf("webhooks"))
          }}
        />
      )}
    </>
  )
}

export const Page = ({ params: { id = "" } }: { readonly params: Params }) => {
  const loaded = endpoint.use([id])
  const calls = [
    { name: "webhooks.get", ids: [id] },
    { name: "webhooks.deliveries", ids: [id] },
    { name: "webhooks.test", ids: [id] },
  ]
  return (
    <LoadedView of={loaded}>
      {(of) => (
        <>
          <PageHead
            title={new URL(of.url).host}
            text={
              <>
                <EndpointState of={of} /> <code>{of.url}</code>
                {of.description !== null && <p dir="auto">{of.description}</p>}
              </>
            }
            calls={calls}
          >
            <Buttons of={of} onChange={loaded.reload} />
          </PageHead>
          <Deliveries id={id} />
        </>
      )}
    </LoadedView>
  )
}
