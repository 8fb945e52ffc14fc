import { Field, type FieldProps } from "./Field.js"

interface NumberFieldProps extends Omit<FieldProps, "children"> {
  /** What stands there at first. */
  readonly value?: number | null
  readonly min: number
  readonly max?: number
  readonly placeholder?: string
  /** Null: nothing, or no whole number that fits. */
  readonly onChange: (value: number | null) => void
}

/** A whole number that is typed. */
export const NumberField = ({ value, min, max, placeholder, onChange, ...field }: NumberFieldProps) => (
  <Field {...field}>
    {(facts) => (
      <input
        {...facts}
        type="number"
        min={min}
        max={max}
        placeholder={placeholder}
        defaultValue={value === undefined || value === null ? "" : String(value)}
        onInput={({ currentTarget: { validity, valueAsNumber: given } }) =>
          onChange(validity.valid && given >= min ? given : null)
        }
      />
    )}
  </Field>
)
