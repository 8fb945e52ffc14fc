import type { TranscriptionSummary } from "@earmark/api/client"
import { percentOf } from "../format.js"
import { words } from "../words.js"

/** How far a transcription is, in a few words. */
export const JobState = ({ job }: { readonly job: TranscriptionSummary }) => {
  if (job.status === "done") return <span class="badge good">{words.states.done}</span>
  if (job.status === "failed") {
    const isCanceled = job.failure.code === "canceled"
    return (
      <span class={`badge ${isCanceled ? "" : "bad"}`} title={job.error}>
        {isCanceled ? words.states.canceled : words.states.failed}
      </span>
    )
  }
  if (job.phase === "waiting_for_credits")
    return <span class="badge warn">{words.phases.waiting_for_credits}</span>
  return (
    <span class="running">
      <span class="badge live">
        {words.phases[job.phase]} {job.progress > 0 && percentOf(job.progress)}
      </span>
      <Progress share={job.progress} />
    </span>
  )
}

/** A bar. It is drawn beside words that say the same. */
export const Progress = ({ share }: { readonly share: number }) => (
  <span class="progress" aria-hidden="true">
    <i style={{ inlineSize: `${Math.round(share * 100)}%` }} />
  </span>
)
