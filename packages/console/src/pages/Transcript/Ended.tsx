import type { FailedTranscription } from "@earmark/api/client"
import { isLibrary } from "../../session.js"
import { Empty } from "../../widgets/States.js"
import { reading } from "../../words/reading.js"
import { words } from "../../words.js"

/** Why there is no text. */
export const Ended = ({ job }: { readonly job: FailedTranscription }) => (
  <Empty
    title={job.failure.code === "canceled" ? words.states.canceled : reading.transcript.failed}
    text={job.error}
  >
    {!isLibrary() && <p>{words.list.notCharged}</p>}
    <code class="badge">{job.failure.code}</code>
  </Empty>
)
