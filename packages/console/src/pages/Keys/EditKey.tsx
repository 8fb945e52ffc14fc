import type { ApiKey } from "@earmark/api/client"
import { Dialog, DialogForm, useWork } from "../../widgets/Dialog.js"
import { Field } from "../../widgets/Field.js"
import { Failure } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { MonthlyCredits, monthlyCreditsIn } from "./MonthlyCredits.js"

const text = building.keys

interface KeyChange {
  readonly name: string | null
  readonly monthly_credits?: number | null
}

interface EditKeyProps {
  readonly of: ApiKey
  readonly update: (id: string, change: KeyChange) => Promise<unknown>
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Gives a key another name or monthly limit; an empty field takes it away. */
export const EditKey = ({ of, update, onChange, onClose }: EditKeyProps) => {
  const work = useWork()
  // Such a key could make others without a limit.
  const canBeLimited = !of.scopes.includes("keys")
  const submit = (form: HTMLFormElement) =>
    work.run(async () => {
      const name = String(new FormData(form).get("name") ?? "").trim()
      await update(of.id, {
        name: name === "" ? null : name,
        ...(canBeLimited && { monthly_credits: monthlyCreditsIn(form) }),
      })
      onChange()
      onClose()
    })
  return (
    <Dialog title={text.editTitle(of.name ?? text.unnamed)} onClose={onClose}>
      <DialogForm action={text.save} isBusy={work.isBusy} onSubmit={submit} onClose={onClose}>
        <Field label={text.name} help={text.nameHelp}>
          {(facts) => (
            <input {...facts} name="name" maxLength={100} autocomplete="off" defaultValue={of.name ?? ""} />
          )}
        </Field>
        {canBeLimited && <MonthlyCredits value={of.monthly_credits} />}
        {work.error !== undefined && <Failure text={work.error} />}
      </DialogForm>
    </Dialog>
  )
}
