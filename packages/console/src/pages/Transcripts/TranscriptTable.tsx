import type { TranscriptionSummary } from "@earmark/api/client"
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks"
import { agoOf, clockOf, languageOf, momentOf, percentOf } from "../../format.js"
import { Link } from "../../router.js"
import { useSteps } from "../../widgets/Ago.js"
import { JobState } from "../../widgets/JobState.js"
import { titleOf } from "../../widgets/titleOf.js"
import { words } from "../../words.js"
import { heldOrder, type Jobs, runningFirst, sectionsOf } from "./jobList.js"

const text = words.list

const hostOf = (url: string | undefined): string => {
  try {
    return url === undefined ? "" : new URL(url).host
  } catch {
    return ""
  }
}

const sourceOf = ({ source }: TranscriptionSummary): string => {
  if (source.url?.startsWith("file:")) return words.sources.file
  const host = hostOf(source.feed_url ?? source.url)
  return host === "" ? words.sources[source.kind] : `${words.sources[source.kind]} · ${host}`
}

const whole = (job: TranscriptionSummary): string => {
  if (job.status !== "done") return ""
  const coverage = job.integrity?.coverage ?? null
  return coverage === null ? "–" : percentOf(coverage)
}

interface RowProps {
  readonly job: TranscriptionSummary
  readonly hasCost: boolean
  readonly isChosen: boolean
  /** `isRange`: with all since the one before. */
  readonly onChoose: (isChosen: boolean, isRange: boolean) => void
}

const Row = ({ job, hasCost, isChosen, onChoose }: RowProps) => {
  const title = titleOf(job)
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={text.choose(title)}
          checked={isChosen}
          onClick={({ currentTarget, shiftKey }) => onChoose(currentTarget.checked, shiftKey)}
        />
      </td>
      <td class="main tick">
        <Link to="transcript" params={{ id: job.id }} class="title">
          <bdi>{title}</bdi>
        </Link>
        <small>
          {job.published_at == null ? "" : `${text.isPublic} · `}
          {sourceOf(job)}
          {job.status === "failed" && job.failure.code !== "canceled" && (
            <span class="why" dir="auto">
              {job.error}
            </span>
          )}
        </small>
      </td>
      <td class="state">
        <JobState job={job} />
      </td>
      <td class="number">{job.duration_seconds === null ? "" : clockOf(job.duration_seconds)}</td>
      <td>{job.language === null ? "" : languageOf(job.language)}</td>
      <td
        class="number"
        title={job.status !== "done" ? undefined : whole(job) === "–" ? text.notMeasured : text.whole}
      >
        {whole(job)}
      </td>
      {hasCost && (
        <td class="number" data-label={text.columns.billed}>
          {job.billed_minutes === null ? "" : text.minutes(job.billed_minutes)}
        </td>
      )}
      <td class="number soft">
        <time dateTime={job.created_at} title={momentOf(job.created_at)}>
          {agoOf(job.created_at)}
        </time>
      </td>
    </tr>
  )
}

interface TableProps {
  readonly jobs: Jobs
  readonly chosen: Signal<ReadonlySet<string>>
  /** What each one cost, in a column of its own. */
  readonly hasCost?: boolean
}

const choose = (chosen: Signal<ReadonlySet<string>>, ids: ReadonlyArray<string>, isChosen: boolean) => {
  const next = new Set(chosen.peek())
  for (const id of ids) {
    if (isChosen) next.add(id)
    else next.delete(id)
  }
  chosen.value = next
}

/** What a row is high before it was seen, in rem. */
const ROW = 4.4
const MINUTE = 60_000

interface SectionProps extends Required<TableProps> {
  readonly onChoose: (id: string, isChosen: boolean, isRange: boolean) => void
}

/** Whether an element is in sight, or will be soon. */
const useSight = (element: RefObject<Element>): ReadonlySignal<boolean> => {
  const isSeen = useSignal(true)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        isSeen.value = entries.at(-1)?.isIntersecting ?? true
      },
      { rootMargin: "50%" },
    )
    if (element.current !== null) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return isSeen
}

/** Drawn again only where something in it is new: there may be a hundred. */
const Section = ({ jobs, chosen, hasCost, onChoose }: SectionProps) => {
  const before = useRef(jobs)
  const isSame = before.current.length === jobs.length && jobs.every((job, at) => job === before.current[at])
  if (!isSame) before.current = jobs
  const body = useRef<HTMLTableSectionElement>(null)
  // How long ago something was is told in minutes, and where nobody sees it not at all.
  const minute = useRef(0)
  useSteps().value
  if (useSight(body).value) minute.current = Math.floor(Date.now() / MINUTE)
  return useMemo(
    () => (
      <tbody ref={body} style={{ containIntrinsicBlockSize: `auto ${jobs.length * ROW}rem` }}>
        {jobs.map((job) => (
          <Row
            key={job.id}
            job={job}
            hasCost={hasCost}
            isChosen={chosen.value.has(job.id)}
            onChoose={(is, isRange) => onChoose(job.id, is, isRange)}
          />
        ))}
      </tbody>
    ),
    [before.current, chosen.value, minute.current],
  )
}

/** The jobs in an order that does not change while somebody points at one of them. */
const useOrder = (jobs: Jobs) => {
  const isHeld = useSignal(false)
  const last = useRef<Jobs>([])
  const { shown, waiting } = isHeld.value
    ? heldOrder(last.current, jobs)
    : { shown: runningFirst(jobs), waiting: 0 }
  last.current = shown
  const hold = (is: boolean) => {
    isHeld.value = is
  }
  return { shown, waiting, hold }
}

/** Chooses one; with Shift all from the one before to it. */
const useChoosing = (shown: Jobs, chosen: Signal<ReadonlySet<string>>) => {
  const order = useRef(shown)
  order.current = shown
  const last = useRef<string | null>(null)
  return useCallback((id: string, isChosen: boolean, isRange: boolean) => {
    const ids = order.current.map((job) => job.id)
    const from = isRange && last.current !== null ? ids.indexOf(last.current) : -1
    const to = ids.indexOf(id)
    last.current = id
    choose(chosen, from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1), isChosen)
  }, [])
}

export const TranscriptTable = ({ jobs, chosen, hasCost = false }: TableProps) => {
  const { shown, waiting, hold } = useOrder(jobs)
  const onChoose = useChoosing(shown, chosen)
  const { columns } = text
  return (
    <div class="table">
      <p class="waiting soft" role="status">
        {waiting > 0 && text.waiting(waiting)}
      </p>
      <table
        class={hasCost ? "cards jobs costs" : "cards jobs"}
        onPointerEnter={() => hold(true)}
        onPointerLeave={() => hold(false)}
      >
        <caption class="hidden">{text.caption}</caption>
        <thead>
          <tr>
            <th>
              <input
                type="checkbox"
                aria-label={text.chooseAll}
                checked={jobs.every(({ id }) => chosen.value.has(id))}
                onChange={({ currentTarget }) =>
                  choose(
                    chosen,
                    jobs.map(({ id }) => id),
                    currentTarget.checked,
                  )
                }
              />
            </th>
            <th scope="col">{columns.title}</th>
            <th scope="col">{columns.state}</th>
            <th scope="col" class="number">
              {columns.length}
            </th>
            <th scope="col">{columns.language}</th>
            <th scope="col" class="number">
              {columns.integrity}
            </th>
            {hasCost && (
              <th scope="col" class="number">
                {columns.billed}
              </th>
            )}
            <th scope="col" class="number">
              {columns.created}
            </th>
          </tr>
        </thead>
        {sectionsOf(shown).map(({ key, jobs: section }) => (
          <Section key={key} jobs={section} chosen={chosen} hasCost={hasCost} onChoose={onChoose} />
        ))}
      </table>
    </div>
  )
}
