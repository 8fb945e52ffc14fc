import type { DoneTranscription } from "@earmark/api/client"
import { playFrom, state } from "../../player/player.js"
import { Asking } from "../Ask/Asking.js"

/** Questions about this transcript; the moments of an answer are played. */
export const AskView = ({ job }: { readonly job: DoneTranscription }) => (
  <div class="prose wide">
    {state.value === "ready" ? <Asking id={job.id} onPlay={playFrom} /> : <Asking id={job.id} />}
  </div>
)
