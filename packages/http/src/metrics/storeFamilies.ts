/** What there is in the store, over all processes. */
import { Phase } from "@earmark/core/jobs"
import type { StoreFigures } from "@earmark/service"
import type { Family } from "./exposition.js"

const gauge = (
  name: string,
  help: string,
  samples: ReadonlyArray<readonly [labels: Readonly<Record<string, string>>, value: number]>,
): Family => ({
  name,
  help,
  type: "gauge",
  samples: samples.map(([labels, value]) => ({ labels, value })),
})

/** Null: the store did not answer in time, and only that is told. */
export const storeFamilies = (figures: StoreFigures | null): ReadonlyArray<Family> => {
  const up = gauge("earmark_store_up", "1 when the store answered this scrape in time, else 0.", [
    [{}, figures === null ? 0 : 1],
  ])
  if (figures === null) return [up]
  const { phases, queue, deliveries, credits } = figures
  return [
    up,
    gauge(
      "earmark_jobs",
      "Queued jobs by phase.",
      Phase.literals.map((phase) => [{ phase }, phases[phase] ?? 0]),
    ),
    gauge(
      "earmark_queue_entries",
      "Entries of the queue by state: ready, scheduled (for later, or for credits), leased, dead.",
      [
        [{ state: "ready" }, queue.ready],
        [{ state: "scheduled" }, queue.scheduled],
        [{ state: "leased" }, queue.leased],
        [{ state: "dead" }, queue.dead],
      ],
    ),
    gauge("earmark_queue_oldest_seconds", "How long the oldest ready entry has waited.", [
      [{}, queue.oldestSeconds],
    ]),
    gauge("earmark_webhook_deliveries", "Deliveries that are not over, by state.", [
      [{ state: "pending" }, deliveries.pending],
      [{ state: "delivering" }, deliveries.delivering],
    ]),
    gauge("earmark_webhook_overdue_seconds", "How long the oldest delivery that is due has been due.", [
      [{}, deliveries.overdueSeconds],
    ]),
    gauge("earmark_accounts", "Accounts.", [[{}, credits.accounts]]),
    gauge(
      "earmark_credits",
      "Credits of all accounts together: posted (the sum of all balances) and held of it for jobs.",
      [
        [{ kind: "posted" }, credits.posted],
        [{ kind: "held" }, credits.held],
      ],
    ),
  ]
}
