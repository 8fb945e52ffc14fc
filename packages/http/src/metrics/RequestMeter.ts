import { type Family, histogramSamples } from "./exposition.js"

const BOUNDS: ReadonlyArray<number> = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

interface Row {
  readonly labels: Readonly<Record<string, string>>
  /** One more than there are bounds: the last one is beyond them. */
  readonly counts: Array<number>
  sum: number
}

const cumulative = (counts: ReadonlyArray<number>): ReadonlyArray<readonly [number, number]> => {
  let total = 0
  return BOUNDS.map((bound, index) => {
    total += counts[index] ?? 0
    return [bound, total] as const
  })
}

/** How long answers take, by method, template of the route and class of the status. Routes are those declared: there are no others. */
export class RequestMeter {
  private readonly rows = new Map<string, Row>()

  record(method: string, route: string, status: number, seconds: number): void {
    const statusClass = `${Math.floor(status / 100)}xx`
    const key = `${method} ${route} ${statusClass}`
    let row = this.rows.get(key)
    if (row === undefined) {
      row = { labels: { method, route, status: statusClass }, counts: BOUNDS.map(() => 0), sum: 0 }
      row.counts.push(0)
      this.rows.set(key, row)
    }
    const found = BOUNDS.findIndex((bound) => seconds <= bound)
    const bucket = found < 0 ? BOUNDS.length : found
    row.counts[bucket] = (row.counts[bucket] ?? 0) + 1
    row.sum += seconds
  }

  family(): Family {
    return {
      name: "earmark_http_request_duration_seconds",
      type: "histogram",
      help: "How long answers took, to their last byte, by method, route and class of the status. Event streams count when they end.",
      samples: [...this.rows.values()].flatMap(({ labels, counts, sum }) => {
        const count = counts.reduce((total, each) => total + each, 0)
        return histogramSamples(labels, { buckets: cumulative(counts), count, sum })
      }),
    }
  }
}
