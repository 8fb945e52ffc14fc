/** Numbers as Prometheus reads them. */
export interface Sample {
  /** What comes after the name of the family: `_bucket`, `_sum`, `_count`, or nothing. */
  readonly suffix?: "_bucket" | "_sum" | "_count"
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const quoted = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

const labelsOf = (labels: Sample["labels"]): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${quoted(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const numberOf = (value: number): string =>
  Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : value < 0 ? "-Inf" : "NaN"

const textOf = ({ name, type, help, samples }: Family): string => {
  const lines = samples.map(
    ({ suffix = "", labels, value }) => `${name}${suffix}${labelsOf(labels)} ${numberOf(value)}\n`,
  )
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n${lines.join("")}`
}

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8"

/** Families with their samples; one without a sample says what it is nevertheless. */
export const exposition = (families: ReadonlyArray<Family>): string => families.map(textOf).join("")

/** The samples of one histogram. `buckets` are cumulative, without the last one, which is all. */
export const histogramSamples = (
  labels: Sample["labels"],
  counted: {
    readonly buckets: ReadonlyArray<readonly [bound: number, count: number]>
    readonly count: number
    readonly sum: number
  },
): ReadonlyArray<Sample> => [
  ...[...counted.buckets, [Number.POSITIVE_INFINITY, counted.count] as const].map(
    ([bound, value]): Sample => ({ suffix: "_bucket", labels: { ...labels, le: numberOf(bound) }, value }),
  ),
  { suffix: "_sum", labels, value: counted.sum },
  { suffix: "_count", labels, value: counted.count },
]
