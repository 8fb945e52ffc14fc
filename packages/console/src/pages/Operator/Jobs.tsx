/** Jobs whose end could not be written. */
import { useSignal } from "@preact/signals"
import { Link } from "../../router.js"
import { Button } from "../../widgets/Button.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { useWork } from "../../widgets/Dialog.js"
import { Empty, Failure, LoadedView, Notice } from "../../widgets/States.js"
import { operating } from "../../words/operating.js"
import { act, type DeadJob, deadJobs } from "./data.js"
import { Frame } from "./Frame.js"

const text = operating.jobs

const COLUMNS: ReadonlyArray<Column<DeadJob>> = [
  { head: text.columns.job, isMain: true, cell: ({ id }) => <code>{id}</code> },
  {
    head: text.columns.account,
    cell: ({ account }) => (
      <Link to="operatorAccount" params={{ id: account }}>
        <code>{account}</code>
      </Link>
    ),
  },
  { head: text.columns.attempts, cell: ({ attempts }) => attempts },
  { head: text.columns.reason, cell: ({ reason }) => <span dir="auto">{reason}</span> },
]

export const Page = () => {
  const loaded = deadJobs.use([])
  const put = useSignal<string | null>(null)
  const work = useWork()
  const retry = (id: string) =>
    work.run(async () => {
      await act("jobs.retry", { id })
      put.value = id
      loaded.reload()
    })
  return (
    <Frame
      title={text.title}
      text={text.text}
      page="operatorJobs"
      commands={["earmark jobs dead", 'earmark jobs dead --retry "$JOB"']}
      answer={loaded.value}
    >
      {work.error !== undefined && <Failure text={work.error} />}
      {put.value !== null && <Notice kind="good">{text.put(put.value)}</Notice>}
      <LoadedView of={loaded}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty title={text.empty} />
          ) : (
            <>
              <DataTable
                columns={COLUMNS}
                of={data}
                keyOf={({ id }) => id}
                action={({ id }) => (
                  <Button label={text.retryLabel(id)} isBusy={work.isBusy} onClick={() => void retry(id)}>
                    {text.retry}
                  </Button>
                )}
              />
              {has_more && <p class="more soft">{text.more}</p>}
            </>
          )
        }
      </LoadedView>
    </Frame>
  )
}
