/** A span of days, kept in the address. */
import { setQuery } from "../router.js"
import { building } from "../words/building.js"
import { Field } from "./Field.js"

const DAY = 86_400_000

/** The day in the address; null where there is none, or none that is one. */
export const dayIn = (given: URLSearchParams, name: "from" | "to"): string | null => {
  const text = given.get(name) ?? ""
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}

/** The whole days from one to another, as the API takes them: the last one is over at its end. */
export const spanOf = (from: string | null, to: string | null) => ({
  ...(from !== null && { from: `${from}T00:00:00.000Z` }),
  ...(to !== null && { to: new Date(new Date(`${to}T00:00:00Z`).getTime() + DAY).toISOString() }),
})

interface DatesProps {
  readonly from: string | null
  readonly to: string | null
}

export const Dates = ({ from, to }: DatesProps) => (
  <div class="dates">
    <Field label={building.usage.from}>
      {(facts) => (
        <input
          {...facts}
          type="date"
          value={from ?? ""}
          max={to ?? undefined}
          onChange={({ currentTarget }) => setQuery({ from: currentTarget.value })}
        />
      )}
    </Field>
    <Field label={building.usage.to}>
      {(facts) => (
        <input
          {...facts}
          type="date"
          value={to ?? ""}
          min={from ?? undefined}
          onChange={({ currentTarget }) => setQuery({ to: currentTarget.value })}
        />
      )}
    </Field>
  </div>
)
