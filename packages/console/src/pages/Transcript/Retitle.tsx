import type { Transcription } from "@earmark/api/client"
import { earmark } from "../../session.js"
import { Dialog, DialogForm, useWork } from "../../widgets/Dialog.js"
import { Field } from "../../widgets/Field.js"
import { TextInput } from "../../widgets/TextInput.js"
import { reading } from "../../words/reading.js"

const text = reading.transcript

interface RetitleProps {
  readonly job: Transcription
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Gives a transcript another title. */
export const Retitle = ({ job, onChange, onClose }: RetitleProps) => {
  const work = useWork()
  const save = (form: HTMLFormElement) =>
    work.run(async () => {
      const title = String(new FormData(form).get("title") ?? "").trim()
      await earmark.transcriptions.update(job.id, { title })
      onChange()
      onClose()
    })
  return (
    <Dialog title={text.retitleTitle} onClose={onClose}>
      <DialogForm action={text.save} isBusy={work.isBusy} onSubmit={save} onClose={onClose}>
        <Field label={text.retitleField} error={work.error}>
          {(facts) => (
            <TextInput
              {...facts}
              name="title"
              value={job.title ?? ""}
              required
              pattern=".*\S.*"
              title={text.retitleRule}
              maxLength={300}
              autoFocus
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  )
}
