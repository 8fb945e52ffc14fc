/** Lines as they are recognized. */
import type { QueuedTranscription } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { percentOf } from "../../format.js"
import { Link } from "../../router.js"
import { earmark, noteFailure } from "../../session.js"
import { TextView } from "../../transcript/TextView.js"
import { Progress } from "../../widgets/JobState.js"
import { reading } from "../../words/reading.js"
import { words } from "../../words.js"

interface RunningProps {
  readonly job: QueuedTranscription
  readonly onEnd: () => void
}

export const Running = ({ job, onEnd }: RunningProps) => {
  const host = useRef<HTMLDivElement>(null)
  const progress = useSignal(job.progress)
  const phase = useSignal(job.phase)
  useEffect(() => {
    if (host.current === null) return
    const controller = new AbortController()
    const view = new TextView(host.current, {
      id: job.id,
      names: {},
      language: job.language,
      onChoose: () => undefined,
    })
    const follow = async () => {
      for await (const event of earmark.transcriptions.events(job.id, { signal: controller.signal })) {
        if (event.type === "segment") view.append(event.data)
        else if (event.type === "progress") {
          progress.value = event.data.progress
          phase.value = event.data.phase
        }
      }
      onEnd()
    }
    follow().catch((error) => {
      if (controller.signal.aborted) return
      noteFailure(error)
      onEnd()
    })
    return () => {
      controller.abort()
      view.destroy()
    }
  }, [job.id])
  return (
    <div class="reading live">
      <p class="soft">
        <span class="badge live">
          {words.phases[phase.value]} {progress.value > 0 && percentOf(progress.value)}
        </span>{" "}
        {phase.value === "waiting_for_credits" ? (
          <>
            {reading.transcript.short} <Link to="billing">{reading.transcript.buy}</Link>
          </>
        ) : (
          reading.transcript.running
        )}
      </p>
      <Progress share={progress.value} />
      <div ref={host} class="text" />
    </div>
  )
}
