/** What the work counted in this process, from the registry of Effect. */
import { Metric, MetricKeyType, MetricState, Option } from "effect"
import { type Family, histogramSamples, type Sample } from "./exposition.js"

type Pair = ReturnType<typeof Metric.unsafeSnapshot>[number]

const labelsOf = ({ metricKey }: Pair): Sample["labels"] =>
  Object.fromEntries(metricKey.tags.map(({ key, value }) => [key, value]))

const samplesOf = (pair: Pair): ReadonlyArray<Sample> => {
  const { metricState: state } = pair
  const labels = labelsOf(pair)
  if (MetricState.isCounterState(state)) return [{ labels, value: Number(state.count) }]
  if (MetricState.isHistogramState(state)) {
    const buckets = state.buckets.filter(([bound]) => Number.isFinite(bound))
    return histogramSamples(labels, { buckets, count: state.count, sum: state.sum })
  }
  return []
}

const typeOf = ({ metricKey }: Pair): Family["type"] =>
  MetricKeyType.isHistogramKey(metricKey.keyType) ? "histogram" : "counter"

/** Every metric of ours that was counted so far. */
export const workFamilies = (): ReadonlyArray<Family> => {
  const families = new Map<string, Family>()
  for (const pair of Metric.unsafeSnapshot()) {
    const { name, description } = pair.metricKey
    if (!name.startsWith("earmark_")) continue
    const known = families.get(name)
    families.set(name, {
      name,
      type: typeOf(pair),
      help: Option.getOrElse(description, () => ""),
      samples: [...(known?.samples ?? []), ...samplesOf(pair)],
    })
  }
  return [...families.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
}
