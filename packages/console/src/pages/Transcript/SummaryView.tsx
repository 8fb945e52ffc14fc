import type { DoneTranscription } from "@earmark/api/client"
import { clockOf } from "../../format.js"
import { Link } from "../../router.js"
import { canTranslate } from "../../session.js"
import { Failure } from "../../widgets/States.js"
import { extrasWords } from "../../words/extras.js"
import { reading } from "../../words/reading.js"
import { ExtraPart } from "./ExtraPart.js"
import { useExtras } from "./useExtras.js"

const text = extrasWords

export const SummaryView = ({ job }: { readonly job: DoneTranscription }) => {
  const { summary, chapters } = job.enrichment
  const { make, isBusy, error } = useExtras(job)
  return (
    <div class="prose">
      {error !== undefined && <Failure text={error} />}
      <h2>{text.summary}</h2>
      {job.summary === undefined ? (
        <p class="soft">{text.noSummary}</p>
      ) : (
        <p dir="auto" class="summary">
          {job.summary}
        </p>
      )}
      {!canTranslate() && <p class="soft">{text.sentencesAlone}</p>}
      <ExtraPart
        extra={summary}
        action={text.makeSummary}
        isBusy={isBusy}
        onMake={() => make({ summary: true })}
      />
      <h2>{reading.transcript.chapters}</h2>
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
      <ExtraPart
        extra={chapters}
        action={text.makeChapters}
        isBusy={isBusy}
        onMake={() => make({ chapters: true })}
      />
    </div>
  )
}
