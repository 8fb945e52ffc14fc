import type { BatchStatus } from "@earmark/api/client"
import { showsWords } from "../../words/shows.js"

const text = showsWords

const PARTS = ["done", "running", "waiting", "failed", "deleted"] as const

/** How many episodes are how far, as a bar with its words. */
export const Shares = ({ of }: { readonly of: BatchStatus }) => {
  const counts = {
    done: of.done,
    running: of.queued - of.waiting_for_credits,
    waiting: of.waiting_for_credits,
    failed: of.failed,
    deleted: of.total - of.done - of.queued - of.failed,
  }
  const parts = PARTS.filter((part) => counts[part] > 0)
  return (
    <>
      <div class="shares" aria-hidden="true">
        {parts.map((part) => (
          <i key={part} class={part} style={{ flexGrow: counts[part] }} />
        ))}
      </div>
      <ul class="legend">
        {parts.map((part) => (
          <li key={part} class={part}>
            {counts[part]} {text[part]}
          </li>
        ))}
      </ul>
    </>
  )
}
