/** The figures of the server, over all accounts. */
import { useSignal } from "@preact/signals"
import { numberOf } from "../../format.js"
import { Link } from "../../router.js"
import { Button } from "../../widgets/Button.js"
import { DataTable } from "../../widgets/DataTable.js"
import { useWork } from "../../widgets/Dialog.js"
import { Failure, LoadedView, Notice } from "../../widgets/States.js"
import { operating } from "../../words/operating.js"
import { words } from "../../words.js"
import { type Figures, figures, type Verified, verify } from "./data.js"
import { Frame } from "./Frame.js"

const text = operating.overview

const seconds = (value: number): string => `${numberOf(Math.round(value))} s`

const Numbers = ({ of }: { readonly of: Figures }) => {
  const { queue, webhooks, credits } = of
  const shown: ReadonlyArray<readonly [string, string]> = [
    [numberOf(credits.accounts), text.accounts(credits.accounts)],
    [numberOf(credits.posted), text.balance],
    [numberOf(credits.held), text.held],
    [numberOf(queue.ready), text.waiting],
    [numberOf(queue.leased), text.running],
    [numberOf(queue.scheduled), text.later],
    [seconds(queue.oldest_seconds), text.oldest],
    [numberOf(webhooks.pending + webhooks.delivering), text.deliveries],
    [seconds(webhooks.overdue_seconds), text.overdue],
  ]
  return (
    <div class="figures">
      {shown.map(([value, name]) => (
        <p key={name}>
          <strong>{value}</strong> {name}
        </p>
      ))}
      <p>
        <strong>{numberOf(queue.dead)}</strong> <Link to="operatorJobs">{text.dead}</Link>
      </p>
    </div>
  )
}

const phaseNames: Readonly<Record<string, string>> = words.phases

const Phases = ({ of }: { readonly of: Figures["jobs"] }) => (
  <section class="card narrow">
    <h2>{text.phases}</h2>
    {Object.keys(of).length === 0 ? (
      <p class="soft">{text.noJobs}</p>
    ) : (
      <dl class="facts">
        {Object.entries(of).map(([phase, count]) => (
          <>
            <dt>{phaseNames[phase] ?? phase}</dt>
            <dd>{numberOf(count)}</dd>
          </>
        ))}
      </dl>
    )}
  </section>
)

const FINDINGS = [
  { head: text.columns.kind, cell: ({ kind }: Finding) => kind, isMain: true },
  { head: text.columns.subject, cell: ({ subject }: Finding) => <code>{subject}</code> },
  { head: text.columns.expected, cell: ({ expected }: Finding) => numberOf(expected), isNumber: true },
  { head: text.columns.actual, cell: ({ actual }: Finding) => numberOf(actual), isNumber: true },
] as const

type Finding = Verified["findings"][number]

const Ledger = () => {
  const verified = useSignal<Verified | null>(null)
  const work = useWork()
  const found = verified.value
  return (
    <section class="card narrow ledger">
      <h2>{text.ledger}</h2>
      <p class="soft">{text.ledgerText}</p>
      <Button
        isBusy={work.isBusy}
        onClick={() =>
          void work.run(async () => {
            verified.value = await verify()
          })
        }
      >
        {text.verify}
      </Button>
      {work.error !== undefined && <Failure text={work.error} />}
      {found?.ok === true && <Notice kind="good">{text.agrees}</Notice>}
      {found?.ok === false && (
        <>
          <Failure text={text.differs(found.total)} />
          <DataTable
            columns={FINDINGS}
            of={found.findings}
            keyOf={({ kind, subject }) => `${kind} ${subject}`}
          />
        </>
      )}
    </section>
  )
}

export const Page = () => {
  const loaded = figures.use([], { every: 10_000 })
  return (
    <Frame
      title={text.title}
      text={text.text}
      page="operator"
      commands={["earmark credits verify", `curl ${location.origin}/metrics`]}
      answer={loaded.value}
    >
      <LoadedView of={loaded}>
        {(of) => (
          <>
            <Numbers of={of} />
            <Phases of={of.jobs} />
            <Ledger />
          </>
        )}
      </LoadedView>
    </Frame>
  )
}
