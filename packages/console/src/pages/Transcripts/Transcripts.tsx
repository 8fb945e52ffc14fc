/** The list: what runs first, and what there is. */
import type { TranscriptionCounts } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { addressOf } from "../../addresses.js"
import { batches, counts, NEWEST } from "../../data.js"
import { numberOf } from "../../format.js"
import { LANGUAGES } from "../../languages.js"
import { isOfJobs } from "../../live.js"
import { Link, navigate, query, setQuery } from "../../router.js"
import { isLibrary, mayWrite } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Combobox } from "../../widgets/Combobox.js"
import { Choice } from "../../widgets/Field.js"
import { PageHead } from "../../widgets/Page.js"
import { ReadOn } from "../../widgets/ReadOn.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { TextInput } from "../../widgets/TextInput.js"
import { words } from "../../words.js"
import { Chosen } from "./Chosen.js"
import { TranscriptTable } from "./TranscriptTable.js"
import { EVERY, type Filter, useJobs } from "./useJobs.js"

const text = words.list
const STATES = ["all", "queued", "done", "failed"] as const
type State = (typeof STATES)[number]

const stateOf = (given: string | null): State => STATES.find((state) => state === given) ?? "all"

interface FiltersProps {
  readonly state: State
  readonly filter: Filter
  /** The list is there: what only helps to filter it may follow. */
  readonly isListed: boolean
}

const Language = ({ value }: { readonly value: string }) => (
  <Combobox
    label={text.language}
    value={value}
    options={[["", text.anyLanguage], ...LANGUAGES]}
    onChange={(language) => setQuery({ language })}
  />
)

/** The shows of which there are batches; nothing where there are none. */
const Show = ({ value }: { readonly value: string }) => {
  const feeds = new Map((batches.use([]).value?.data ?? []).map((each) => [each.feed_url, each.title]))
  if (feeds.size === 0 && value === "") return null
  const options = [...feeds].map(([feed, title]) => [feed, title ?? feed] as const)
  return (
    <Combobox
      label={text.show}
      value={value}
      options={[["", text.anyShow], ...options]}
      onChange={(feed) => setQuery({ feed })}
    />
  )
}

interface StandingProps {
  readonly state: State
  readonly counts?: TranscriptionCounts | undefined
}

const counted = (state: State, counts: TranscriptionCounts | undefined): string => {
  const count = counts === undefined || state === "all" || state === "done" ? 0 : counts[state]
  return count === 0 ? text[state] : `${text[state]} ${numberOf(count)}`
}

const Standing = ({ state, counts: known }: StandingProps) => (
  <Choice
    label={text.filter}
    value={state}
    options={STATES.map((each) => [each, counted(each, known)])}
    onChange={(next) => setQuery({ state: next === "all" ? null : next })}
  />
)

/** How many run, and how many have failed. */
const Counted = ({ state }: { readonly state: State }) => (
  <Standing state={state} counts={counts.use([], { every: EVERY, when: isOfJobs }).value} />
)

/** Milliseconds without a key before the list is narrowed to what was typed. */
const TYPED = 400

const Words = ({ value }: { readonly value: string }) => {
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const seek = (typed: string, wait: number) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setQuery({ q: typed.trim() }), wait)
  }
  return (
    <TextInput
      type="search"
      data-find
      aria-label={text.find}
      placeholder={text.find}
      value={value}
      onInput={({ currentTarget }) => seek(currentTarget.value, currentTarget.value === "" ? 0 : TYPED)}
      onChange={({ currentTarget }) => seek(currentTarget.value, 0)}
    />
  )
}

const Filters = ({ state, filter: { q = "", language = "", feed = "" }, isListed }: FiltersProps) => (
  <div class="filters">
    {isListed && q + language + feed === "" ? <Counted state={state} /> : <Standing state={state} />}
    <Language value={language} />
    {isListed && !isLibrary() && <Show value={feed} />}
    <Words value={q} />
  </div>
)

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title={text.noMatch}>
      <Button onClick={() => setQuery({ state: null, q: null, language: null, feed: null })}>
        {text.clear}
      </Button>
    </Empty>
  ) : (
    <Empty title={text.empty} text={isLibrary() ? words.library.emptyText : text.emptyText}>
      {!isLibrary() && mayWrite() && (
        <Link to="new" class="button primary">
          {text.emptyAction}
        </Link>
      )}
    </Empty>
  )

/** They fill most windows. */
const FIRST_ROWS = 16

let wasDrawn = false

/** Whether all rows are drawn: when a browser has just opened the page, a window of them is shown first. */
const useWhole = (isThere: boolean): boolean => {
  const isWhole = useSignal(wasDrawn)
  useEffect(() => {
    if (!isThere || isWhole.peek()) return
    // In a task of its own: what is shown can be used before.
    const timer = setTimeout(() => {
      wasDrawn = true
      isWhole.value = true
    })
    return () => clearTimeout(timer)
  }, [isThere])
  return isWhole.value
}

interface ListProps {
  readonly filter: Filter
  readonly isListed: Signal<boolean>
}

const List = ({ filter, isListed }: ListProps) => {
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const jobs = useJobs(filter)
  const isWhole = useWhole(jobs.value !== undefined)
  useEffect(() => {
    if (jobs.value !== undefined) isListed.value = true
  }, [jobs.value === undefined])
  return (
    <LoadedView of={jobs}>
      {(data) =>
        data.length === 0 ? (
          <Nothing isFiltered={Object.keys(filter).length > 0} />
        ) : (
          <>
            <TranscriptTable jobs={isWhole ? data : data.slice(0, FIRST_ROWS)} chosen={chosen} />
            {isWhole && jobs.more !== null && <ReadOn onMore={jobs.more} />}
            <Chosen jobs={data} chosen={chosen} onDone={jobs.reload} />
          </>
        )
      }
    </LoadedView>
  )
}

const given = (name: "q" | "language" | "feed"): Filter => {
  const value = query.value.get(name) ?? ""
  return value === "" ? {} : { [name]: value }
}

export const Page = () => {
  const isListed = useSignal(false)
  const state = stateOf(query.value.get("state"))
  const filter: Filter = {
    ...(state !== "all" && { status: state }),
    ...given("q"),
    ...given("language"),
    ...given("feed"),
  }
  return (
    <>
      <PageHead
        title={text.title}
        calls={[
          { name: "transcriptions.list", query: { limit: NEWEST, ...filter } },
          { name: "transcriptions.counts" },
        ]}
      >
        {!isLibrary() && mayWrite() && (
          <Button kind="primary" icon="plus" onClick={() => navigate(addressOf("new"))}>
            {text.emptyAction}
          </Button>
        )}
      </PageHead>
      <Filters state={state} filter={filter} isListed={isListed.value} />
      {filter.q !== undefined && (
        <p>
          <Link to="search" query={{ q: filter.q }}>
            {text.inTexts(filter.q)}
          </Link>
        </p>
      )}
      <List key={JSON.stringify(filter)} filter={filter} isListed={isListed} />
    </>
  )
}
