import type { DoneTranscription } from "@earmark/api/client"
import { clockOf } from "../../format.js"
import { Link } from "../../router.js"
import { Failure, Notice } from "../../widgets/States.js"
import { words } from "../../words.js"

const text = words.transcript

export const SummaryView = ({ job }: { readonly job: DoneTranscription }) => {
  const { summary, chapters } = job.enrichment
  return (
    <div class="prose">
      {summary?.status === "failed" && <Failure text={`${text.summaryFailed}. ${summary.error ?? ""}`} />}
      {summary?.status === "pending" && <Notice>{text.summaryPending}</Notice>}
      {job.summary !== undefined && (
        <p dir="auto" class="summary">
          {job.summary}
        </p>
      )}
      {summary === undefined && job.summary === undefined && <Notice>{text.noSummary}</Notice>}
      {chapters?.status === "failed" && <Failure text={chapters.error ?? text.noChapters} />}
      <h2>{text.chapters}</h2>
      {(job.chapters ?? []).length === 0 && <p class="soft">{text.noChapters}</p>}
      <ol class="contents">
        {(job.chapters ?? []).map(({ start, title, summary: about }) => (
          <li key={start}>
            <time class="number soft">{clockOf(start)}</time>
            <div dir="auto">
              <Link to="transcript" params={{ id: job.id }} query={{ t: start }}>
                {title}
              </Link>
              {about !== undefined && <p class="soft">{about}</p>}
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}
