import type { ApiKey } from "@earmark/api/client"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Dialog, useWork } from "../../widgets/Dialog.js"
import { Field } from "../../widgets/Field.js"
import { Failure } from "../../widgets/States.js"
import { words } from "../../words.js"

const text = words.keys

interface RenameKeyProps {
  readonly of: ApiKey
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Gives a key another name; an empty one takes its name away. */
export const RenameKey = ({ of, onChange, onClose }: RenameKeyProps) => {
  const work = useWork()
  const rename = (form: HTMLFormElement) =>
    work.run(async () => {
      const name = String(new FormData(form).get("name") ?? "").trim()
      await earmark.keys.update(of.id, { name: name === "" ? null : name })
      onChange()
      onClose()
    })
  return (
    <Dialog title={text.renameTitle(of.name ?? text.unnamed)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void rename(event.currentTarget)
        }}
      >
        <Field label={text.name} help={text.nameHelp}>
          {(facts) => (
            <input {...facts} name="name" maxLength={100} autocomplete="off" defaultValue={of.name ?? ""} />
          )}
        </Field>
        {work.error !== undefined && <Failure text={work.error} />}
        <footer>
          <Button onClick={onClose}>{words.app.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={work.isBusy}>
            {text.rename}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
