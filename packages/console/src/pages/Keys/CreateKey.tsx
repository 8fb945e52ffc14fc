import { useState } from "preact/hooks"
import { useIsFree } from "../../data.js"
import { Dialog, DialogForm, useWork } from "../../widgets/Dialog.js"
import { Check, Field, SelectField } from "../../widgets/Field.js"
import { Kept } from "../../widgets/Once.js"
import { Failure } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { MonthlyCredits, monthlyCreditsIn } from "./MonthlyCredits.js"

const text = building.keys
const DAY = 86_400_000

export const SCOPES = [
  "transcriptions:read",
  "transcriptions:write",
  "webhooks",
  "billing:read",
  "billing:write",
  "keys",
] as const

/** What a program needs that transcribes. */
const USUAL: ReadonlyArray<string> = ["transcriptions:read", "transcriptions:write"]

const ENDS = ["never", "30", "90", "365"] as const

const wantedIn = (form: HTMLFormElement) => {
  const given = new FormData(form)
  const chosen = given.getAll("scope")
  const days = Number(given.get("ends"))
  const name = String(given.get("name") ?? "").trim()
  return {
    name: name === "" ? null : name,
    scopes: SCOPES.filter((scope) => chosen.includes(scope)),
    monthly_credits: monthlyCreditsIn(form),
    expires_at: days > 0 ? new Date(Date.now() + days * DAY).toISOString() : null,
    ...(given.has("test") && { test: true }),
  }
}

export type WantedKey = ReturnType<typeof wantedIn>

interface WantedProps {
  readonly error: string | undefined
  /** No permission is chosen. */
  readonly lacksScopes: boolean
  /** Whether there is nothing to buy. */
  readonly isFree: boolean
  readonly canBeTest: boolean
}

const Wanted = ({ error, lacksScopes, isFree, canBeTest }: WantedProps) => (
  <>
    <Field label={text.name} help={text.nameHelp}>
      {(facts) => <input {...facts} name="name" maxLength={100} autocomplete="off" />}
    </Field>
    <fieldset>
      <legend>{text.scopes}</legend>
      {SCOPES.filter((scope) => !isFree || scope !== "billing:write").map((scope) => (
        <Check key={scope} name="scope" value={scope} checked={USUAL.includes(scope)} help={scope}>
          {text.sentences[scope]}
        </Check>
      ))}
      {lacksScopes && <Failure text={text.noScope} />}
    </fieldset>
    <SelectField label={text.expires} name="ends" options={ENDS.map((days) => [days, text.ends[days]])} />
    <MonthlyCredits />
    {canBeTest && (
      <Check name="test" checked={false} help={text.testHelp}>
        {text.test}
      </Check>
    )}
    {error !== undefined && <Failure text={error} />}
  </>
)

interface CreateKeyProps {
  readonly create: (wanted: WantedKey) => Promise<{ readonly key: string }>
  /** Test keys are for the operator to create. */
  readonly canBeTest?: boolean
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Makes a key. Its value is in this dialog alone, and is gone with it. */
export const CreateKey = ({ create, canBeTest = false, onChange, onClose }: CreateKeyProps) => {
  const [value, setValue] = useState<string | null>(null)
  const [lacksScopes, setLacks] = useState(false)
  const work = useWork()
  const isFree = useIsFree()
  if (value !== null)
    return (
      <Dialog title={text.value} onClose={onClose} isFirm>
        <Kept text={text.valueText} label={text.value} value={value} onClose={onClose} />
      </Dialog>
    )
  const submit = (form: HTMLFormElement) => {
    const wanted = wantedIn(form)
    setLacks(wanted.scopes.length === 0)
    if (wanted.scopes.length === 0) return
    return work.run(async () => {
      const { key } = await create(wanted)
      setValue(key)
      onChange()
    })
  }
  return (
    <Dialog title={text.create} onClose={onClose}>
      <DialogForm action={text.create} isBusy={work.isBusy} onSubmit={submit} onClose={onClose}>
        <Wanted error={work.error} lacksScopes={lacksScopes} isFree={isFree} canBeTest={canBeTest} />
      </DialogForm>
    </Dialog>
  )
}
