/** A show: every episode with its state and what it cost. */

import type { BatchStatus, TranscriptionSummary } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import type { Params } from "../../addresses.js"
import { batch, useIsFree } from "../../data.js"
import { isOfJobs } from "../../live.js"
import { earmark, mayWrite } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Confirm, useWork } from "../../widgets/Dialog.js"
import { PageHead } from "../../widgets/Page.js"
import { ReadOn } from "../../widgets/ReadOn.js"
import { Failure, LoadedView } from "../../widgets/States.js"
import { making } from "../../words/making.js"
import { showsWords } from "../../words/shows.js"
import { Chosen } from "../Transcripts/Chosen.js"
import { StartAgainLater } from "../Transcripts/StartAgainLater.js"
import { TranscriptTable } from "../Transcripts/TranscriptTable.js"
import { useJobs } from "../Transcripts/useJobs.js"
import { Shares } from "./Shares.js"

const text = showsWords

interface ButtonsProps {
  readonly of: BatchStatus
  readonly jobs: ReadonlyArray<TranscriptionSummary>
  /** Not every episode of a long show is on the page yet. */
  readonly hasMore: boolean
  readonly onChange: () => void
}

const Buttons = ({ of, jobs, hasMore, onChange }: ButtonsProps) => {
  const asked = useSignal<"cancel" | "retry" | null>(null)
  const isFree = useIsFree()
  const said = useSignal("")
  const work = useWork()
  const isRetryable = (job: TranscriptionSummary) => job.status === "failed" && job.failure.retryable
  const failed = jobs.filter(isRetryable)
  const hasFailed = failed.length > 0 || (of.failed > 0 && hasMore)
  const retry = async () => {
    const { retried } = await earmark.podcasts.retryBatch(of.batch_id)
    said.value = text.retried(retried)
    onChange()
  }
  const ask = (next: typeof asked.value) => () => {
    asked.value = next
  }
  return (
    <>
      <p role="status">{said.value}</p>
      {work.error !== undefined && <Failure text={work.error} />}
      {hasFailed && (
        <Button isBusy={work.isBusy} onClick={isFree ? () => void work.run(retry) : ask("retry")}>
          {text.retry}
        </Button>
      )}
      {of.queued > 0 && (
        <Button kind="danger" onClick={ask("cancel")}>
          {text.cancel}
        </Button>
      )}
      {asked.value === "retry" && (
        <StartAgainLater jobs={failed} hasMore={hasMore} onClose={ask(null)} onConfirm={retry} />
      )}
      {asked.value === "cancel" && (
        <Confirm
          title={text.cancelTitle}
          text={text.cancelText}
          action={text.cancel}
          keep={text.keep}
          onClose={ask(null)}
          onConfirm={async () => {
            await earmark.podcasts.cancelBatch(of.batch_id)
            onChange()
          }}
        />
      )}
    </>
  )
}

export const Page = ({ params: { id = "" } }: { readonly params: Params }) => {
  const loaded = batch.use([id], { every: 3000, when: isOfJobs })
  const jobs = useJobs({ batch_id: id })
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const reload = () => {
    loaded.reload()
    jobs.reload()
  }
  const calls = [
    { name: "podcasts.batch", ids: [id] },
    { name: "transcriptions.list", query: { batch_id: id } },
  ]
  return (
    <LoadedView of={loaded}>
      {(of) => (
        <>
          <PageHead
            title={of.title ?? of.feed_url}
            text={`${making.new.episodesOf(of.total)} · ${text.billed(of.billed_minutes)}`}
            calls={calls}
          >
            {mayWrite() && (
              <Buttons of={of} jobs={jobs.value ?? []} hasMore={jobs.more !== null} onChange={reload} />
            )}
          </PageHead>
          <Shares of={of} />
          <LoadedView of={jobs}>
            {(data) => (
              <>
                <TranscriptTable jobs={data} chosen={chosen} hasCost />
                {jobs.more !== null && <ReadOn onMore={jobs.more} />}
                <Chosen jobs={data} chosen={chosen} onDone={reload} />
              </>
            )}
          </LoadedView>
        </>
      )}
    </LoadedView>
  )
}
