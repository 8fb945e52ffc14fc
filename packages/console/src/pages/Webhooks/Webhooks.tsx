/** Endpoints: where events are sent. */
import type { WebhookEndpoint } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { endpoints } from "../../data.js"
import { Link } from "../../router.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { words } from "../../words.js"
import { AddEndpoint } from "./AddEndpoint.js"
import { EndpointState, FOLLOWING } from "./EndpointState.js"

const text = building.webhooks
const CALLS = [
  { name: "webhooks.list" },
  { name: "webhooks.create", body: { url: "https://example.com/hooks/earmark" } },
]

const COLUMNS: ReadonlyArray<Column<WebhookEndpoint>> = [
  {
    head: text.url,
    isMain: true,
    cell: ({ id, url, description }) => (
      <>
        <Link to="webhook" params={{ id }} class="title">
          {url}
        </Link>
        {description !== null && <small dir="auto">{description}</small>}
      </>
    ),
  },
  { head: text.events, cell: ({ events }) => (events.length === 2 ? text.all : events.join(", ")) },
  { head: text.columns.state, cell: (endpoint) => <EndpointState of={endpoint} /> },
  { head: words.list.columns.created, isNumber: true, cell: ({ created_at }) => <Ago of={created_at} /> },
]

export const Page = () => {
  const loaded = endpoints.use([], { every: FOLLOWING })
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
            <DataTable columns={COLUMNS} of={data} keyOf={({ id }) => id} />
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
