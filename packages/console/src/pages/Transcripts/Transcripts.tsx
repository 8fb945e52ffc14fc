/** The list: what runs first, and what there is. */
import type { TranscriptionSummary, TranscriptionsListQuery } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { addressOf } from "../../addresses.js"
import { transcripts } from "../../data.js"
import { Link, navigate, query, setQuery } from "../../router.js"
import { Button } from "../../widgets/Button.js"
import { Choice } from "../../widgets/Field.js"
import { More } from "../../widgets/More.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"
import { Chosen } from "./Chosen.js"
import { TranscriptTable } from "./TranscriptTable.js"

const text = words.list
const PAGE = 50
const STATES = ["all", "queued", "done", "failed"] as const
type State = (typeof STATES)[number]

const stateOf = (given: string | null): State => STATES.find((state) => state === given) ?? "all"

const Filters = ({ state, q }: { readonly state: State; readonly q: string }) => (
  <div class="filters">
    <Choice
      label={text.filter}
      value={state}
      options={STATES.map((each) => [each, text[each]])}
      onChange={(next) => setQuery({ state: next === "all" ? null : next })}
    />
    <input
      type="search"
      data-find
      aria-label={text.find}
      placeholder={text.find}
      value={q}
      onChange={({ currentTarget }) => setQuery({ q: currentTarget.value.trim() })}
    />
  </div>
)

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title={text.noMatch}>
      <Button onClick={() => setQuery({ state: null, q: null })}>{text.clear}</Button>
    </Empty>
  ) : (
    <Empty title={text.empty} text={text.emptyText}>
      <Link to="new" class="button primary">
        {text.emptyAction}
      </Link>
    </Empty>
  )

/** What runs stands first; apart from that nothing changes its place. */
const runningFirst = (jobs: ReadonlyArray<TranscriptionSummary>): ReadonlyArray<TranscriptionSummary> => [
  ...jobs.filter(({ status }) => status === "queued"),
  ...jobs.filter(({ status }) => status !== "queued"),
]

export const Page = () => {
  const state = stateOf(query.value.get("state"))
  const q = query.value.get("q") ?? ""
  const limit = useSignal(PAGE)
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const asked: TranscriptionsListQuery = {
    limit: limit.value,
    ...(state !== "all" && { status: state }),
    ...(q !== "" && { q }),
  }
  const jobs = transcripts.use([asked], { every: 3000 })
  const isFiltered = state !== "all" || q !== ""
  return (
    <>
      <PageHead title={text.title} calls={[{ name: "transcriptions.list", query: asked }]}>
        <Button kind="primary" icon="plus" onClick={() => navigate(addressOf("new"))}>
          {words.new.title}
        </Button>
      </PageHead>
      <Filters state={state} q={q} />
      <LoadedView of={jobs}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Nothing isFiltered={isFiltered} />
          ) : (
            <>
              <TranscriptTable jobs={runningFirst(data)} chosen={chosen} />
              {has_more && <More limit={limit} />}
              <Chosen jobs={data} chosen={chosen} onDone={jobs.reload} />
            </>
          )
        }
      </LoadedView>
    </>
  )
}
