/** What can be done with a transcript as a whole. */
import type { Transcription } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { addressOf } from "../../addresses.js"
import { transcripts, useIsFree } from "../../data.js"
import { navigate } from "../../router.js"
import { earmark, isLibrary, mayWrite } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Confirm, useWork } from "../../widgets/Dialog.js"
import { dialogLater } from "../../widgets/dialogLater.js"
import { Icon } from "../../widgets/Icon.js"
import { Failure } from "../../widgets/States.js"
import { titleOf } from "../../widgets/titleOf.js"
import { reading } from "../../words/reading.js"
import { words } from "../../words.js"
import { StartAgainLater } from "../Transcripts/StartAgainLater.js"
import { Retitle } from "./Retitle.js"

const text = reading.transcript

interface ActionsProps {
  readonly job: Transcription
  readonly onChange: () => void
}

const PublishLater = dialogLater(text.publish, async () => (await import("./Publish.js")).Publish, true)

type Asked = "retitle" | "publish" | "delete" | "cancel" | "retry" | null

interface MoreProps {
  readonly isDone: boolean
  readonly onAsk: (asked: Asked) => void
}

const More = ({ isDone, onAsk }: MoreProps) => {
  const ask = (asked: Asked) => (event: Event) => {
    if (event.currentTarget instanceof HTMLElement) {
      const menu = event.currentTarget.closest("details")
      menu?.removeAttribute("open")
      // The dialog gives the focus back to where it was.
      menu?.querySelector("summary")?.focus()
    }
    onAsk(asked)
  }
  return (
    <details class="menu">
      <summary class="button">
        {text.actions} <Icon name="down" />
      </summary>
      <div class="panel">
        <button type="button" onClick={ask("retitle")}>
          {text.retitle}
        </button>
        {isDone && !isLibrary() && (
          <button type="button" onClick={ask("publish")}>
            {text.publish}
          </button>
        )}
        <button type="button" class="danger" onClick={ask("delete")}>
          {text.delete}
        </button>
      </div>
    </details>
  )
}

export const Actions = ({ job, onChange }: ActionsProps) => {
  const asked = useSignal<Asked>(null)
  const work = useWork()
  const ask = (next: Asked) => () => {
    asked.value = next
  }
  const close = ask(null)
  const canWrite = mayWrite()
  const isFree = useIsFree()
  const cancel = () => earmark.transcriptions.cancel(job.id).then(onChange)
  const retry = () => earmark.transcriptions.retry(job.id).then(onChange)
  return (
    <>
      {work.error !== undefined && <Failure text={work.error} />}
      {job.status === "queued" && !isLibrary() && canWrite && (
        <Button onClick={ask("cancel")}>{text.cancel}</Button>
      )}
      {job.status === "failed" && !isLibrary() && canWrite && (
        <Button
          {...(job.failure.retryable && { kind: "primary" })}
          isBusy={work.isBusy}
          onClick={isFree ? () => void work.run(retry) : ask("retry")}
        >
          {text.retry}
        </Button>
      )}
      {job.published_at != null && canWrite && (
        <Button icon="link" onClick={ask("publish")}>
          {text.isPublic}
        </Button>
      )}
      {job.status === "done" && (
        <Button
          kind="primary"
          icon="download"
          onClick={() => navigate(addressOf("transcript", { id: job.id }, { view: "export" }))}
        >
          {text.tabs.export}
        </Button>
      )}
      {canWrite && <More isDone={job.status === "done"} onAsk={(next) => ask(next)()} />}
      {asked.value === "retitle" && <Retitle job={job} onChange={onChange} onClose={close} />}
      {asked.value === "publish" && <PublishLater job={job} onChange={onChange} onClose={close} />}
      {asked.value === "retry" && <StartAgainLater jobs={[job]} onClose={close} onConfirm={retry} />}
      {asked.value === "cancel" && (
        <Confirm
          title={words.list.cancelTitle(1)}
          text={words.list.cancelText}
          action={words.list.cancelConfirm(1)}
          keep={words.list.keep}
          onClose={close}
          onConfirm={cancel}
        />
      )}
      {asked.value === "delete" && (
        <Confirm
          title={text.deleteTitle}
          text={`“${titleOf(job)}”. ${isLibrary() ? words.library.deleteText : words.list.deleteText}`}
          action={text.delete}
          onClose={close}
          onConfirm={async () => {
            await earmark.transcriptions.delete(job.id)
            transcripts.refreshAll()
            navigate(addressOf("transcripts"))
          }}
        />
      )}
    </>
  )
}
