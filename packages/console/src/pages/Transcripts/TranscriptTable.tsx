import type { TranscriptionSummary } from "@earmark/api/client"
import type { Signal } from "@preact/signals"
import { agoOf, clockOf, languageOf, momentOf, percentOf } from "../../format.js"
import { Link } from "../../router.js"
import { JobState } from "../../widgets/JobState.js"
import { titleOf } from "../../widgets/titleOf.js"
import { words } from "../../words.js"

const text = words.list

const hostOf = (url: string | undefined): string => {
  try {
    return url === undefined ? "" : new URL(url).host
  } catch {
    return ""
  }
}

const sourceOf = ({ source }: TranscriptionSummary): string => {
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
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

const Row = ({ job, isChosen, onChoose }: RowProps) => {
  const title = titleOf(job)
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={text.choose(title)}
          checked={isChosen}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
      </td>
      <td class="main tick">
        <Link to="transcript" params={{ id: job.id }} class="title">
          <bdi>{title}</bdi>
        </Link>
        <small>{sourceOf(job)}</small>
      </td>
      <td class="state">
        <JobState job={job} />
      </td>
      <td class="number">{job.duration_seconds === null ? "" : clockOf(job.duration_seconds)}</td>
      <td>{job.language === null ? "" : languageOf(job.language)}</td>
      <td class="number" title={whole(job) === "–" ? text.notMeasured : text.whole}>
        {whole(job)}
      </td>
      <td class="number soft">
        <time dateTime={job.created_at} title={momentOf(job.created_at)}>
          {agoOf(job.created_at)}
        </time>
      </td>
    </tr>
  )
}

interface TableProps {
  readonly jobs: ReadonlyArray<TranscriptionSummary>
  readonly chosen: Signal<ReadonlySet<string>>
}

const changed = (chosen: ReadonlySet<string>, ids: ReadonlyArray<string>, isChosen: boolean) => {
  const next = new Set(chosen)
  for (const id of ids) {
    if (isChosen) next.add(id)
    else next.delete(id)
  }
  return next
}

export const TranscriptTable = ({ jobs, chosen }: TableProps) => {
  const choose = (ids: ReadonlyArray<string>, isChosen: boolean) => {
    chosen.value = changed(chosen.value, ids, isChosen)
  }
  const { columns } = text
  return (
    <div class="table">
      <table class="cards jobs">
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
            <th scope="col" class="number">
              {columns.created}
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <Row
              key={job.id}
              job={job}
              isChosen={chosen.value.has(job.id)}
              onChoose={(isChosen) => choose([job.id], isChosen)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
