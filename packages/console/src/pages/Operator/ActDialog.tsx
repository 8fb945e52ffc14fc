import { useSignal } from "@preact/signals"
import { Dialog, DialogForm, useWork } from "../../widgets/Dialog.js"
import { Check, Field } from "../../widgets/Field.js"
import { Failure } from "../../widgets/States.js"
import { act } from "./data.js"

interface ActField {
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly type?: "text" | "number" | "checkbox"
  readonly isRequired?: true
  readonly initial?: string
}

/** What a form says. Fields that are empty say nothing. */
const saidIn = (form: HTMLFormElement, fields: ReadonlyArray<ActField>) => {
  const given = new FormData(form)
  return Object.fromEntries(
    fields.flatMap(({ name, type }): Array<[string, string | number | boolean]> => {
      if (type === "checkbox") return given.has(name) ? [[name, true]] : []
      const value = String(given.get(name) ?? "").trim()
      if (value === "") return []
      return [[name, type === "number" ? Number(value) : value]]
    }),
  )
}

const Input = ({ of }: { readonly of: ActField }) =>
  of.type === "checkbox" ? (
    <Check name={of.name} checked={false} help={of.help}>
      {of.label}
    </Check>
  ) : (
    <Field label={of.label} help={of.help}>
      {(facts) => (
        <input
          {...facts}
          name={of.name}
          type={of.type ?? "text"}
          step={of.type === "number" ? 1 : undefined}
          required={of.isRequired === true}
          defaultValue={of.initial}
          autocomplete="off"
          spellcheck={false}
        />
      )}
    </Field>
  )

/** A refusal names fields as the operation calls them; the form has labels. */
const inLabels = (refusal: string, fields: ReadonlyArray<ActField>): string =>
  fields.reduce(
    (sentence, { name, label }) =>
      sentence
        .replaceAll(`${name}: `, `${label}: `)
        .replaceAll(`${name.replaceAll("_", " ")}: `, `${label}: `),
    refusal,
  )

export interface Acting<Answer> {
  readonly title: string
  readonly text: string
  /** The operation, and what of its request is known already. */
  readonly operation: string
  readonly known?: object
  readonly fields: ReadonlyArray<ActField>
  readonly isDanger?: true
  readonly onDone: (answer: Answer) => void
}

/** Asks for what an operation needs, and does it. It stays open with the reason when the operation is refused. */
export const ActDialog = <Answer,>({
  title,
  text,
  operation,
  known,
  fields,
  isDanger,
  onDone,
  onClose,
}: Acting<Answer> & { readonly onClose: () => void }) => {
  const work = useWork()
  /** A refusal is of what was sent: it goes once something else is in the form. */
  const isChanged = useSignal(false)
  const submit = (form: HTMLFormElement) => {
    isChanged.value = false
    return work.run(async () => {
      const answer = await act<Answer>(operation, { ...known, ...saidIn(form, fields) })
      onClose()
      onDone(answer)
    })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm action={title} isBusy={work.isBusy} isDanger={isDanger} onSubmit={submit} onClose={onClose}>
        <p>{text}</p>
        <div
          class="stack"
          onInput={() => {
            isChanged.value = true
          }}
        >
          {fields.map((each) => (
            <Input key={each.name} of={each} />
          ))}
        </div>
        {work.error !== undefined && !isChanged.value && <Failure text={inLabels(work.error, fields)} />}
      </DialogForm>
    </Dialog>
  )
}
