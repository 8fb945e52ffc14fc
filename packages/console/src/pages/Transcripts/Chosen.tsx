/** What can be done with several at once. */
import type { TranscriptionSummary } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Confirm, useWork } from "../../widgets/Dialog.js"
import { Failure } from "../../widgets/States.js"
import { words } from "../../words.js"

const text = words.list

interface ChosenProps {
  readonly jobs: ReadonlyArray<TranscriptionSummary>
  readonly chosen: Signal<ReadonlySet<string>>
  readonly onDone: () => void
}

/** Does something for each, all at once; fails with how many of them failed. */
const forEach = async (jobs: ReadonlyArray<TranscriptionSummary>, run: (id: string) => Promise<unknown>) => {
  const ended = await Promise.allSettled(jobs.map(({ id }) => run(id)))
  const failures = ended.filter(({ status }) => status === "rejected").length
  if (failures > 0) throw new Error(text.failures(failures))
}

export const Chosen = ({ jobs, chosen, onDone }: ChosenProps) => {
  const work = useWork()
  const isAsking = useSignal(false)
  const of = jobs.filter(({ id }) => chosen.value.has(id))
  const running = of.filter(({ status }) => status === "queued")
  const failed = of.filter((job) => job.status === "failed" && job.failure.retryable)
  const end = () => {
    chosen.value = new Set()
    onDone()
  }
  const run = (some: ReadonlyArray<TranscriptionSummary>, one: (id: string) => Promise<unknown>) =>
    void work.run(() => forEach(some, one).finally(end))
  if (of.length === 0) return work.error === undefined ? null : <Failure text={work.error} />
  return (
    <div class="chosen" role="region" aria-label={text.chosen(of.length)}>
      <strong>{text.chosen(of.length)}</strong>
      {running.length > 0 && (
        <Button isBusy={work.isBusy} onClick={() => run(running, (id) => earmark.transcriptions.cancel(id))}>
          {text.cancel}
        </Button>
      )}
      {failed.length > 0 && (
        <Button isBusy={work.isBusy} onClick={() => run(failed, (id) => earmark.transcriptions.retry(id))}>
          {text.retry}
        </Button>
      )}
      <Button
        kind="danger"
        onClick={() => {
          isAsking.value = true
        }}
      >
        {text.delete}
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          chosen.value = new Set()
        }}
      >
        {text.unselect}
      </Button>
      {isAsking.value && (
        <Confirm
          title={text.deleteTitle(of.length)}
          text={text.deleteText}
          action={text.deleteConfirm(of.length)}
          onClose={() => {
            isAsking.value = false
          }}
          onConfirm={() => forEach(of, (id) => earmark.transcriptions.delete(id)).finally(end)}
        />
      )}
    </div>
  )
}
