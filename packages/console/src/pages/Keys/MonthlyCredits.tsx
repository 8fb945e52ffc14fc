import { Field } from "../../widgets/Field.js"
import { building } from "../../words/building.js"

const text = building.keys
const NAME = "monthly-credits"

/** The field for the monthly limit of a key; empty: no limit. */
export const MonthlyCredits = ({ value = null }: { readonly value?: number | null }) => (
  <Field label={text.limit} help={text.limitHelp}>
    {(facts) => (
      <input
        {...facts}
        name={NAME}
        type="number"
        inputMode="numeric"
        min={0}
        step={1}
        defaultValue={value === null ? "" : String(value)}
      />
    )}
  </Field>
)

/** The limit in a form; null: none. */
export const monthlyCreditsIn = (form: HTMLFormElement): number | null => {
  const given = String(new FormData(form).get(NAME) ?? "").trim()
  return given === "" ? null : Number(given)
}
