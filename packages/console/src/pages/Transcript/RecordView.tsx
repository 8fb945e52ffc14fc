import type { DoneTranscription } from "@earmark/api/client"
import { useIsFree } from "../../data.js"
import { momentOf, numberOf } from "../../format.js"
import { Copy } from "../../widgets/Once.js"
import { Notice } from "../../widgets/States.js"

/** The raw object without what is long in it. */
const shortOf = ({ segments, translation: _, text, ...job }: DoneTranscription) =>
  JSON.stringify(
    { ...job, text: `${text.slice(0, 120)}…`, segments: `${numberOf(segments.length)} lines` },
    null,
    2,
  )

export const RecordView = ({ job }: { readonly job: DoneTranscription }) => {
  const facts: ReadonlyArray<readonly [string, string]> = [
    ["Id", job.id],
    ["Source", job.source_label ?? job.source.url ?? job.source.kind],
    ["Engine", job.engine ?? job.origin],
    ["Word times", job.word_timing ?? "none"],
    ...(useIsFree() ? [] : [["Billed", `${job.billed_minutes} min`] as const]),
    ["Created", momentOf(job.created_at)],
    ["Completed", momentOf(job.completed_at)],
    ...(job.published_at == null ? [] : [["Public since", momentOf(job.published_at)] as const]),
    ...(job.expires_at === null ? [] : [["Deleted on", momentOf(job.expires_at)] as const]),
  ]
  return (
    <div class="prose wide">
      {job.warnings.map(({ code, detail }) => (
        <Notice kind="warn" key={code}>
          {detail}
        </Notice>
      ))}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      <div class="sample">
        <header>
          <h2>JSON</h2>
          <Copy text={() => JSON.stringify(job, null, 2)} />
        </header>
        <pre tabIndex={0}>
          <code>{shortOf(job)}</code>
        </pre>
      </div>
    </div>
  )
}
