/** What can be done with the line that was chosen: who speaks it, when, and that it goes. */
import type { DoneTranscription } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { labelNamed, nudged } from "../../editing/operations.js"
import type { Editor } from "../../editing/useEditor.js"
import { preciseOf } from "../../format.js"
import { voicesOf } from "../../transcript/lines.js"
import { Button } from "../../widgets/Button.js"
import { Dialog, DialogForm } from "../../widgets/Dialog.js"
import { Field } from "../../widgets/Field.js"
import { reading } from "../../words/reading.js"

const text = reading.editing
/** Seconds of one press. */
const STEP = 0.1
/** Milliseconds without a press before times are saved: many presses are one correction. */
const QUIET = 500

interface LineProps {
  readonly job: DoneTranscription
  readonly line: number
  readonly editor: Editor
}

const NewSpeaker = ({ onName, onClose }: { onName: (name: string) => void; onClose: () => void }) => (
  <Dialog title={text.newSpeaker} onClose={onClose}>
    <DialogForm
      action={reading.transcript.save}
      onSubmit={(form) => {
        const name = String(new FormData(form).get("name") ?? "")
        onClose()
        onName(name.replace(/\s+/g, " ").trim())
      }}
      onClose={onClose}
    >
      <Field label={reading.transcript.name}>
        {(facts) => <input {...facts} name="name" required pattern=".*\S.*" maxLength={100} autoFocus />}
      </Field>
    </DialogForm>
  </Dialog>
)

/** Not a label: a speaker who is not there yet. */
const NEW = "\n"

export const LineSpeaker = ({ job, line, editor }: LineProps) => {
  const isNaming = useSignal(false)
  /** Chosen with keys, which pass by others on their way: it is saved at Enter, or when the field is left. */
  const held = useSignal<string | null>(null)
  const speaker = job.segments[line]?.speaker ?? ""
  const give = (label: string) => {
    if (label !== speaker) void editor.send([{ type: "speaker", line, speaker: label === "" ? null : label }])
  }
  const save = () => {
    const label = held.peek() ?? speaker
    held.value = null
    if (label === NEW) isNaming.value = true
    else give(label)
  }
  return (
    <>
      <Field label={text.speaker} help={text.speakerKeys}>
        {(facts) => (
          <select
            {...facts}
            value={held.value ?? speaker}
            onPointerDown={save}
            onKeyDown={({ key }) => {
              if (key === "Enter") save()
              else held.value ??= speaker
            }}
            onBlur={save}
            onChange={({ currentTarget }) => {
              const isByKey = held.peek() !== null
              held.value = currentTarget.value
              if (!isByKey) save()
            }}
          >
            <option value="">{text.noSpeaker}</option>
            {voicesOf(job).map(({ label }) => (
              <option key={label} value={label}>
                {job.speakers[label] ?? label}
              </option>
            ))}
            <option value={NEW}>{text.newSpeaker}…</option>
          </select>
        )}
      </Field>
      {isNaming.value && (
        <NewSpeaker
          onName={(name) => give(labelNamed(name, job.segments, job.speakers))}
          onClose={() => {
            isNaming.value = false
          }}
        />
      )}
    </>
  )
}

interface TimesProps extends LineProps {
  /** Leads into the text, where the focus stays. */
  readonly onRemove: () => void
}

export const LineTimes = ({ job, line, editor, onRemove }: TimesProps) => {
  const isRemoving = useSignal(false)
  const segment = job.segments[line] ?? { start: 0, end: 0 }
  const moved = useSignal<{ readonly start: number; readonly end: number } | null>(null)
  const timer = useRef(0)
  const save = useRef(() => Promise.resolve())
  save.current = async () => {
    clearTimeout(timer.current)
    const times = moved.peek()
    if (times === null) return
    await editor.send([{ type: "times", line, ...times }])
    if (moved.peek() === times) moved.value = null
  }
  // Another line is chosen, or another page: what was pressed counts.
  useEffect(() => () => void save.current(), [])
  const now = moved.value ?? segment
  const bounds = {
    from: job.segments[line - 1]?.start ?? 0,
    to: job.segments[line + 1]?.start ?? job.duration_seconds,
    length: job.duration_seconds,
  }
  const nudge = (by: { readonly start?: number; readonly end?: number }) => {
    // What is shown may be a press behind.
    moved.value = nudged(moved.peek() ?? segment, by, bounds)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => void save.current(), QUIET)
  }
  const remove = async () => {
    isRemoving.value = true
    onRemove()
    // What was pressed before is of this line, and not of the next.
    void save.current()
    await editor.send([{ type: "remove", line }])
    isRemoving.value = false
  }
  return (
    <>
      <div class="times" role="group" aria-label={text.times}>
        {(["start", "end"] as const).map((side) => (
          <p key={side}>
            <span>{text[side]}</span>
            <Button label={text.earlier[side]} icon="minus" onClick={() => nudge({ [side]: -STEP })} />
            <output>{preciseOf(now[side])}</output>
            <Button label={text.later[side]} icon="plus" onClick={() => nudge({ [side]: STEP })} />
          </p>
        ))}
      </div>
      {job.segments.length > 1 && (
        <Button keepsFocus isBusy={isRemoving.value} onClick={() => void remove()}>
          {text.remove}
        </Button>
      )}
    </>
  )
}
