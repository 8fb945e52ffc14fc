import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export interface FieldProps {
  readonly label: string
  readonly help?: string | undefined
  readonly error?: string | undefined
  readonly children: (facts: {
    readonly id: string
    readonly "aria-describedby"?: string
  }) => ComponentChildren
}

/** A field with its name above it, and what helps below. */
export const Field = ({ label, help, error, children }: FieldProps) => {
  const id = useId()
  const note = error ?? help
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(note === undefined ? { id } : { id, "aria-describedby": `${id}-note` })}
      {note !== undefined && (
        <p id={`${id}-note`} class={error === undefined ? "help" : "help bad"}>
          {note}
        </p>
      )}
    </div>
  )
}

interface SelectFieldProps<Value extends string> extends Omit<FieldProps, "children"> {
  /** In a form. */
  readonly name?: string
  readonly value?: Value
  readonly options: ReadonlyArray<readonly [value: Value, label: string]>
  readonly onChange?: (value: Value) => void
}

/** One of several, chosen from a list that opens. */
export const SelectField = <Value extends string>({
  name,
  value,
  options,
  onChange,
  ...field
}: SelectFieldProps<Value>) => (
  <Field {...field}>
    {(facts) => (
      <select
        {...facts}
        name={name}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([each]) => each === currentTarget.value)
          if (chosen !== undefined) onChange?.(chosen[0])
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

interface CheckProps {
  readonly name?: string
  readonly value?: string
  /** Without `onChange`, whether it is checked at first: what is chosen stays when the page is drawn anew. */
  readonly checked: boolean
  readonly disabled?: boolean
  readonly help?: string | undefined
  readonly children: ComponentChildren
  readonly onChange?: (checked: boolean) => void
}

export const Check = ({ name, value, checked, disabled = false, help, children, onChange }: CheckProps) => (
  <label class="check">
    <input
      type="checkbox"
      name={name}
      value={value}
      disabled={disabled}
      {...(onChange === undefined
        ? { defaultChecked: checked }
        : { checked, onChange: ({ currentTarget }) => onChange(currentTarget.checked) })}
    />
    <span>
      {children}
      {help !== undefined && <small>{help}</small>}
    </span>
  </label>
)

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly name?: string
  readonly value: Value
  readonly options: ReadonlyArray<readonly [value: Value, label: string]>
  readonly onChange: (value: Value) => void
}

/** One of a few, all of them seen. */
export const Choice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => (
  <div class="choice" role="group" aria-label={label}>
    {options.map(([each, text]) => (
      <button type="button" key={each} aria-pressed={each === value} onClick={() => onChange(each)}>
        {text}
      </button>
    ))}
  </div>
)
