import type { DoneTranscription } from "@earmark/api/client"
import { SPEAKER_LABEL } from "@earmark/core/text"
import { type Signal, useSignal } from "@preact/signals"
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

const othersIn = ({ job, label }: Pick<RenameProps, "job" | "label">) =>
  voicesOf(job).flatMap((voice) =>
    voice.label === label ? [] : [[voice.label, job.speakers[voice.label] ?? voice.label] as const],
  )

/** Two labels for one person become one. `into`: the other one, empty until it is chosen. */
const Merge = ({ job, label, editor, onClose, into }: RenameProps & { readonly into: Signal<string> }) => {
  const others = othersIn({ job, label })
  if (others.length === 0) return null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onClose()
        void editor.send([{ type: "merge_speakers", from: label, into: into.value }])
      }}
    >
      <SelectField
        label={reading.editing.mergeInto}
        help={reading.editing.mergeHelp}
        value={into.value}
        options={[["", reading.editing.choose], ...others]}
        onChange={(chosen) => {
          into.value = chosen
        }}
      />
      <footer>
        <Button type="submit" disabled={into.value === ""}>
          {reading.editing.merge}
        </Button>
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
  const into = useSignal("")
  const isOwn = !SPEAKER_LABEL.test(label)
  const save = (form: HTMLFormElement) =>
    work.run(async () => {
      const name = String(new FormData(form).get("name") ?? "").trim()
      const taken = othersIn({ job, label }).find(([, other]) => other === name)
      if (taken !== undefined) {
        into.value = taken[0]
        throw new Error(reading.editing.nameTaken(name))
      }
      if (isOwn) {
        onClose()
        if (name !== label) void editor.send([{ type: "rename_speaker", from: label, to: name }])
        return
      }
      const before = job.speakers[label] ?? null
      await rename(job.id, label, name === "" ? null : name)
      editor.remember(() => rename(job.id, label, before))
      onClose()
    })
  return (
    <Dialog title={text.renameTitle(label)} onClose={onClose}>
      <DialogForm action={text.save} isBusy={work.isBusy} onSubmit={save} onClose={onClose}>
        <Field label={text.name} help={isOwn ? undefined : text.renameText} error={work.error}>
          {(facts) => (
            <TextInput
              {...facts}
              name="name"
              value={job.speakers[label] ?? (isOwn ? label : "")}
              {...(isOwn && { required: true, pattern: ".*\\S.*" })}
              maxLength={100}
              autoFocus
            />
          )}
        </Field>
      </DialogForm>
      <Merge job={job} label={label} editor={editor} onClose={onClose} into={into} />
    </Dialog>
  )
}
