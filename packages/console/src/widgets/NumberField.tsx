import { useSignal } from "@preact/signals"
import { words } from "../words.js"
import { Field, type FieldProps } from "./Field.js"

interface NumberFieldProps extends Omit<FieldProps, "children" | "error"> {
  /** What stands there at first. */
  readonly value?: number | null
  readonly min: number
  readonly max: number
  readonly placeholder?: string
  /** Null: nothing. `undefined`: no whole number between both ends, which the field says. */
  readonly onChange: (value: number | null | undefined) => void
}

/** A whole number that is typed. */
export const NumberField = ({ value, min, max, placeholder, onChange, ...field }: NumberFieldProps) => {
  const isWrong = useSignal(false)
  return (
    <Field {...field} {...(isWrong.value && { error: words.app.wholeNumber(min, max) })}>
      {(facts) => (
        <input
          {...facts}
          type="number"
          min={min}
          max={max}
          placeholder={placeholder}
          aria-invalid={isWrong.value}
          defaultValue={value === undefined || value === null ? "" : String(value)}
          onInput={({ currentTarget: { validity, value: typed } }) => {
            isWrong.value = !validity.valid
            if (isWrong.value) onChange(undefined)
            else onChange(typed === "" ? null : Number(typed))
          }}
        />
      )}
    </Field>
  )
}
