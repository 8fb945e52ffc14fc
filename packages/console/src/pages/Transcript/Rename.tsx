import type { DoneTranscription } from "@earmark/api/client"
import { transcript } from "../../data.js"
import type { Editor } from "../../editing/useEditor.js"
import { earmark } from "../../session.js"
import { voicesOf } from "../../transcript/lines.js"
import { Button } from "../../widgets/Button.js"
import { Dialog, DialogForm, useWork } from "../../widgets/Dialog.js"
import { Field, SelectField } from "../../widgets/Field.js"
import { TextInput } from "../../widgets/TextInput.js"
import { reading } from "../../words/reading.js"

const text = reading.transcript

interface RenameProps {
  readonly job: DoneTranscription
  readonly label: string
  readonly editor: Editor
  readonly onClose: () => void
}

/** Two labels for one person become one. */
const Merge = ({ job, label, editor, onClose }: RenameProps) => {
  const others = voicesOf(job).filter((voice) => voice.label !== label)
  if (others.length === 0) return null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const into = String(new FormData(event.currentTarget).get("into"))
        onClose()
        void editor.send([{ type: "merge_speakers", from: label, into }])
      }}
    >
      <SelectField
        label={reading.editing.mergeInto}
        help={reading.editing.mergeHelp}
        name="into"
        options={others.map((voice) => [voice.label, job.speakers[voice.label] ?? voice.label])}
      />
      <footer>
        <Button type="submit">{reading.editing.merge}</Button>
      </footer>
    </form>
  )
}

const rename = async (id: string, label: string, name: string | null): Promise<void> => {
  await earmark.transcriptions.update(id, { speakers: { [label]: name } })
  await transcript.refresh([id])
}

/** What a speaker is called, or that two are one. */
export const Rename = ({ job, label, editor, onClose }: RenameProps) => {
  const work = useWork()
  const save = (form: HTMLFormElement) =>
    work.run(async () => {
      const name = String(new FormData(form).get("name") ?? "").trim()
      const isTaken = voicesOf(job).some(
        (voice) => voice.label !== label && (job.speakers[voice.label] ?? voice.label) === name,
      )
      if (isTaken) throw new Error(reading.editing.nameTaken(name))
      const before = job.speakers[label] ?? null
      await rename(job.id, label, name === "" ? null : name)
      editor.remember(() => rename(job.id, label, before))
      onClose()
    })
  return (
    <Dialog title={text.renameTitle(label)} onClose={onClose}>
      <DialogForm action={text.save} isBusy={work.isBusy} onSubmit={save} onClose={onClose}>
        <Field label={text.name} help={text.renameText} error={work.error}>
          {(facts) => (
            <TextInput {...facts} name="name" value={job.speakers[label] ?? ""} maxLength={100} autoFocus />
          )}
        </Field>
      </DialogForm>
      <Merge job={job} label={label} editor={editor} onClose={onClose} />
    </Dialog>
  )
}
