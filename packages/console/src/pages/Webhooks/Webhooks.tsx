/** Endpoints: where events are sent. */
import type { WebhookEndpoint } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { endpoints } from "../../data.js"
import { agoOf, momentOf } from "../../format.js"
import { Link } from "../../router.js"
import { Button } from "../../widgets/Button.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"
import { AddEndpoint } from "./AddEndpoint.js"
import { EndpointState } from "./EndpointState.js"

const text = words.webhooks
const CALLS = [
  { name: "webhooks.list" },
  { name: "webhooks.create", body: { url: "https://example.com/hooks/earmark" } },
]

const Row = ({ of }: { readonly of: WebhookEndpoint }) => (
  <tr>
    <td class="main">
      <Link to="webhook" params={{ id: of.id }} class="title">
        {of.url}
      </Link>
      {of.description !== null && <small dir="auto">{of.description}</small>}
    </td>
    <td>{of.events.length === 2 ? text.all : of.events.join(", ")}</td>
    <td>
      <EndpointState of={of} />
    </td>
    <td class="number soft" title={momentOf(of.created_at)}>
      {agoOf(of.created_at)}
    </td>
  </tr>
)

export const Page = () => {
  const loaded = endpoints.use([])
  const isAdding = useSignal(false)
  return (
    <>
      <PageHead title={text.title} text={text.text} calls={CALLS}>
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            isAdding.value = true
          }}
        >
          {text.add}
        </Button>
      </PageHead>
      <LoadedView of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={text.empty} text={text.emptyText} />
          ) : (
            <div class="table">
              <table class="cards">
                <thead>
                  <tr>
                    <th scope="col">{text.url}</th>
                    <th scope="col">{text.events}</th>
                    <th scope="col">{text.columns.state}</th>
                    <th scope="col" class="number">
                      {words.list.columns.created}
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
      {isAdding.value && (
        <AddEndpoint
          onChange={loaded.reload}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
    </>
  )
}
