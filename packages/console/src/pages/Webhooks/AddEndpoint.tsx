import { useSignal } from "@preact/signals"
import { useState } from "preact/hooks"
import { earmark } from "../../session.js"
import { Dialog, DialogForm, useWork } from "../../widgets/Dialog.js"
import { Check, Field } from "../../widgets/Field.js"
import { Failure } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { NewSecret } from "./NewSecret.js"

const text = building.webhooks
const EVENTS = ["transcription.completed", "transcription.failed"] as const

interface AddEndpointProps {
  readonly onChange: () => void
  readonly onClose: () => void
}

export const AddEndpoint = ({ onChange, onClose }: AddEndpointProps) => {
  const [secret, setSecret] = useState<string | null>(null)
  const lacksEvents = useSignal(false)
  const work = useWork()
  if (secret !== null) return <NewSecret of={secret} onClose={onClose} />
  const create = (form: HTMLFormElement) => {
    const given = new FormData(form)
    const chosen = given.getAll("event")
    lacksEvents.value = chosen.length === 0
    if (lacksEvents.peek()) return
    return work.run(async () => {
      const description = String(given.get("description") ?? "").trim()
      const made = await earmark.webhooks.create({
        url: String(given.get("url") ?? "").trim(),
        description: description === "" ? null : description,
        events: EVENTS.filter((event) => chosen.includes(event)),
      })
      setSecret(made.secret)
      onChange()
    })
  }
  return (
    <Dialog title={text.add} onClose={onClose}>
      <DialogForm action={text.create} isBusy={work.isBusy} onSubmit={create} onClose={onClose}>
        <Field label={text.url} help={text.urlHelp} error={work.error}>
          {(facts) => <input {...facts} name="url" type="url" required placeholder="https://" autoFocus />}
        </Field>
        <Field label={text.description}>
          {(facts) => <input {...facts} name="description" maxLength={500} />}
        </Field>
        <fieldset>
          <legend>{text.events}</legend>
          {EVENTS.map((event) => (
            <Check key={event} name="event" value={event} checked>
              <code>{event}</code>
            </Check>
          ))}
          {lacksEvents.value && <Failure text={text.noEvent} />}
        </fieldset>
      </DialogForm>
    </Dialog>
  )
}
