import type { AutoReload, PutAutoReload } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { canReload, earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { useWork } from "../../widgets/Dialog.js"
import { Check, Field } from "../../widgets/Field.js"
import { Failure, Notice } from "../../widgets/States.js"
import { TextInput } from "../../widgets/TextInput.js"
import { building } from "../../words/building.js"

const text = building.billing

const wantedIn = (form: HTMLFormElement): PutAutoReload => {
  const given = new FormData(form)
  const numberIn = (name: string) => Number(given.get(name))
  return given.has("on")
    ? {
        enabled: true,
        threshold: numberIn("threshold"),
        amount: numberIn("amount"),
        monthly_cap: numberIn("monthly_cap"),
      }
    : { enabled: false }
}

interface ReloadProps {
  readonly of: AutoReload
  readonly onChange: () => void
}

export const Reload = ({ of, onChange }: ReloadProps) => {
  const isOn = useSignal(of.enabled)
  const isSaved = useSignal(false)
  // It can be turned off elsewhere, such as after a charge that was declined.
  useEffect(() => {
    isOn.value = of.enabled
  }, [of.enabled])
  const work = useWork()
  const fields = [
    ["threshold", text.threshold, of.threshold ?? 60],
    ["amount", text.reloadAmount, of.amount ?? 600],
    ["monthly_cap", text.cap, of.monthly_cap ?? 1200],
  ] as const
  const save = (form: HTMLFormElement) =>
    work.run(async () => {
      await earmark.credits.setAutoReload(wantedIn(form))
      isSaved.value = true
      onChange()
    })
  if (!canReload())
    return (
      <section class="card">
        <h2>{text.reload}</h2>
        <p class="soft">{text.noReload}</p>
      </section>
    )
  return (
    <section class="card">
      <h2>{text.reload}</h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save(event.currentTarget)
        }}
      >
        <Check
          name="on"
          checked={isOn.value}
          help={text.reloadText}
          onChange={(checked) => {
            isOn.value = checked
          }}
        >
          {text.on}
        </Check>
        {isOn.value &&
          fields.map(([name, label, value]) => (
            <Field key={name} label={label}>
              {(facts) => (
                <TextInput
                  {...facts}
                  name={name}
                  type="number"
                  min={0}
                  max={10_000_000}
                  required
                  value={String(value)}
                />
              )}
            </Field>
          ))}
        <Button type="submit" isBusy={work.isBusy}>
          {text.save}
        </Button>
      </form>
      {work.error !== undefined && <Failure text={work.error} />}
      {isSaved.value && <Notice kind="good">{text.saved}</Notice>}
    </section>
  )
}
