/** What can be done with several at once. */
import type { TranscriptionSummary } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import { useIsFree } from "../../data.js"
import { eachOf } from "../../eachOf.js"
import { earmark, isLibrary, mayWrite } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Confirm, useWork } from "../../widgets/Dialog.js"
import { Failure } from "../../widgets/States.js"
import { saveFile } from "../../widgets/saveFile.js"
import { FORMAT_NAMES } from "../../words/formats.js"
import { words } from "../../words.js"
import { StartAgainLater } from "./StartAgainLater.js"

const text = words.list

interface ChosenProps {
  readonly jobs: ReadonlyArray<TranscriptionSummary>
  readonly chosen: Signal<ReadonlySet<string>>
  readonly onDone: () => void
}

const AT_ONCE = 6

/** Does something for each; fails with how many of them failed. */
const forEach = async (jobs: ReadonlyArray<TranscriptionSummary>, run: (id: string) => Promise<unknown>) => {
  const { length } = await eachOf(jobs, AT_ONCE, ({ id }) => run(id))
  if (length > 0) throw new Error(text.failures(length))
}

const FORMATS = ["srt", "vtt", "txt", "md", "docx", "html", "json", "csv", "tsv"] as const
type Format = (typeof FORMATS)[number]

/** Those that are done, as files in one archive. */
const ExportChosen = ({ ids, left }: { readonly ids: ReadonlyArray<string>; readonly left: number }) => {
  const work = useWork()
  const format = useSignal<Format>("srt")
  const save = () =>
    work.run(async () => {
      const file = await earmark.transcriptions.exportAll({ ids: ids.join(","), format: format.value })
      saveFile(new Uint8Array(await file.bytes()), file.filename, file.contentType)
    })
  return (
    <>
      <select
        aria-label={text.format}
        value={format.value}
        onChange={({ currentTarget }) => {
          format.value = FORMATS.find((each) => each === currentTarget.value) ?? "srt"
        }}
      >
        {FORMATS.map((each) => (
          <option key={each} value={each}>
            {FORMAT_NAMES[each]}
          </option>
        ))}
      </select>
      <Button icon="download" isBusy={work.isBusy} onClick={() => void save()}>
        {text.export}
      </Button>
      {left > 0 && <span class="soft">{text.onlyDone(left)}</span>}
      {work.error !== undefined && <Failure text={work.error} />}
    </>
  )
}

type Asked = "cancel" | "retry" | "delete" | null

export const Chosen = ({ jobs, chosen, onDone }: ChosenProps) => {
  const work = useWork()
  const asked = useSignal<Asked>(null)
  const isFree = useIsFree()
  const of = jobs.filter(({ id }) => chosen.value.has(id))
  const running = of.filter(({ status }) => status === "queued")
  const done = of.filter(({ status }) => status === "done")
  const failed = of.filter((job) => job.status === "failed" && job.failure.retryable)
  const canWrite = mayWrite()
  const end = () => {
    chosen.value = new Set()
    onDone()
  }
  const retry = () => forEach(failed, (id) => earmark.transcriptions.retry(id)).finally(end)
  const ask = (next: Asked) => () => {
    asked.value = next
  }
  const close = ask(null)
  if (of.length === 0) return work.error === undefined ? null : <Failure text={work.error} />
  return (
    <div class="chosen" role="region" aria-label={text.chosen(of.length)}>
      <strong>{text.chosen(of.length)}</strong>
      {done.length > 0 && !isLibrary() && (
        <ExportChosen ids={done.map(({ id }) => id)} left={of.length - done.length} />
      )}
      {running.length > 0 && !isLibrary() && canWrite && (
        <Button onClick={ask("cancel")}>{text.cancel}</Button>
      )}
      {failed.length > 0 && !isLibrary() && canWrite && (
        <Button isBusy={work.isBusy} onClick={isFree ? () => void work.run(retry) : ask("retry")}>
          {text.retry}
        </Button>
      )}
      {canWrite && (
        <Button kind="danger" onClick={ask("delete")}>
          {text.delete}
        </Button>
      )}
      <Button
        kind="quiet"
        onClick={() => {
          chosen.value = new Set()
        }}
      >
        {text.unselect}
      </Button>
      {asked.value === "retry" && <StartAgainLater jobs={failed} onClose={close} onConfirm={retry} />}
      {asked.value === "cancel" && (
        <Confirm
          title={text.cancelTitle(running.length)}
          text={text.cancelText}
          action={text.cancelConfirm(running.length)}
          keep={text.keep}
          onClose={close}
          onConfirm={() => forEach(running, (id) => earmark.transcriptions.cancel(id)).finally(end)}
        />
      )}
      {asked.value === "delete" && (
        <Confirm
          title={text.deleteTitle(of.length)}
          text={isLibrary() ? words.library.deleteText : text.deleteText}
          action={text.deleteConfirm(of.length)}
          onClose={close}
          onConfirm={() => forEach(of, (id) => earmark.transcriptions.delete(id)).finally(end)}
        />
      )}
    </div>
  )
}
