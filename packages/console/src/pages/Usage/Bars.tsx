import { numberOf } from "../../format.js"

interface Bar {
  readonly label: string
  readonly value: number
}

interface BarsProps {
  readonly label: string
  readonly bars: ReadonlyArray<Bar>
}

/** The next number that people count in: 1, 2 or 5 and zeros. */
const ceilingOf = (value: number): number => {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

/** Bars to look at; the table beneath has the same figures. */
export const Bars = ({ label, bars }: BarsProps) => {
  const top = ceilingOf(Math.max(...bars.map(({ value }) => value)))
  return (
    <figure class="bars">
      <figcaption>
        {label} <span class="soft">0 – {numberOf(top)}</span>
      </figcaption>
      <div role="img" aria-label={label}>
        {bars.map((bar) => (
          <span key={bar.label} title={`${bar.label}: ${numberOf(bar.value)}`}>
            <i style={{ blockSize: `${(bar.value / top) * 100}%` }} />
          </span>
        ))}
      </div>
      <p aria-hidden="true">
        <span>{bars[0]?.label}</span>
        {bars.length > 1 && <span>{bars.at(-1)?.label}</span>}
      </p>
    </figure>
  )
}
