import type { CreateTranscription, TranscriptionSummary } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { Dialog, DialogForm, useWork } from "../../widgets/Dialog.js"
import { Failure } from "../../widgets/States.js"
import { making } from "../../words/making.js"
import { Price, type Priced } from "../New/Price.js"

const text = making.again

/** Each is a price of its own to ask for. */
const MOST_PRICED = 20

/** What would be asked for to make the same anew. */
const askedOf = ({ source, options }: TranscriptionSummary): CreateTranscription => {
  const { media_ref, feed_url, episode_guid, url } = source
  const { quality, vocabulary, ...others } = options
  return {
    ...(media_ref !== undefined ? { media_ref } : { url: episode_guid === undefined ? url : feed_url }),
    ...(episode_guid !== undefined && { episode_guid }),
    ...others,
    // What was not asked for is left out: named, it would rule out published captions, which are free.
    ...(quality === "fast" && { quality }),
    ...(vocabulary.length > 0 && { vocabulary }),
  }
}

export interface StartAgainProps {
  readonly jobs: ReadonlyArray<TranscriptionSummary>
  /** There may be others that are not known here. */
  readonly hasMore?: boolean
  readonly onClose: () => void
  readonly onConfirm: () => Promise<unknown>
}

/** Asks before transcriptions begin again, and says what they cost. */
export const StartAgain = ({ jobs, hasMore = false, onClose, onConfirm }: StartAgainProps) => {
  const work = useWork()
  const price = useSignal<Priced | null>(null)
  const refusal = useSignal<string | undefined>(undefined)
  const isPriced = jobs.length <= MOST_PRICED && !hasMore
  const confirm = () =>
    work.run(async () => {
      await onConfirm()
      onClose()
    })
  return (
    <Dialog title={text.title(hasMore ? null : jobs.length)} onClose={onClose}>
      <DialogForm
        action={text.submit(price.value?.credits ?? null)}
        isBusy={work.isBusy || (isPriced && price.value === null)}
        onSubmit={confirm}
        onClose={onClose}
      >
        {isPriced ? <Price asked={jobs.map(askedOf)} price={price} refusal={refusal} /> : <p>{text.many}</p>}
        {work.error !== undefined && <Failure text={work.error} />}
      </DialogForm>
    </Dialog>
  )
}
