import { randomUUID } from "node:crypto"
import { admit, type Circuit, type EndpointId, isDeliveryOver } from "@earmark/core/jobs"
import type { ClaimedDelivery } from "@earmark/service"
import { Effect } from "effect"
import type { Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { timeText } from "../database/values.js"
import { type DeliveryRow, deliveryOf, type EndpointRow, endpointOf } from "./webhookRows.js"

interface Asked {
  readonly want: number
  readonly perEndpoint: number
  readonly leaseSeconds: number
  readonly unitSeconds: number
}

/** How many endpoints with something to send one claim looks at. */
export const ENDPOINT_WINDOW = 256

interface Endpoint {
  readonly row: EndpointRow
  circuit: Circuit
}

interface Sorted {
  readonly taken: ReadonlyArray<DeliveryRow>
  readonly canceled: ReadonlyArray<string>
  readonly postponed: ReadonlyArray<{
    readonly id: string
    readonly state: string
    readonly next_at: string | null
  }>
}

/** What core says about each due delivery, one after the other: the first after a rest is the probe of its endpoint. */
const sort = (
  due: ReadonlyArray<DeliveryRow>,
  endpoints: ReadonlyMap<EndpointId, Endpoint>,
  now: number,
  unitSeconds: number,
): Sorted => {
  const taken: Array<DeliveryRow> = []
  const canceled: Array<string> = []
  const postponed: Array<Sorted["postponed"][number]> = []
  for (const row of due) {
    const endpoint = endpoints.get(row.endpoint_id)
    if (endpoint === undefined || (row.trigger === "auto" && !endpoint.row.enabled)) {
      canceled.push(row.id)
      continue
    }
    if (row.trigger === "auto") {
      const admission = admit(endpoint.circuit, now, unitSeconds)
      if (admission.type === "postponed") {
        const isTooLate = isDeliveryOver(row.created_at, admission.until)
        const state = isTooLate ? "failed" : "pending"
        postponed.push({ id: row.id, state, next_at: isTooLate ? null : timeText(admission.until) })
        continue
      }
      endpoint.circuit = admission.circuit
    }
    taken.push(row)
  }
  return { taken, canceled, postponed }
}

const WRITE = `WITH taken AS (
  UPDATE webhook_delivery d SET state = 'delivering', attempts = d.attempts + 1,
    scheduled = d.scheduled + CASE WHEN d.trigger = 'auto' THEN 1 ELSE 0 END, next_at = NULL,
    lease_token = t.token, lease_until = $3::timestamptz + $4::double precision * interval '1 second', started_at = $3
  FROM unnest($1::text[], $2::text[]) AS t (id, token) WHERE d.id = t.id RETURNING d.*
), postponed AS (
  UPDATE webhook_delivery d SET state = p.state, next_at = p.next_at
  FROM jsonb_populate_recordset(NULL::webhook_delivery, $5) p WHERE d.id = p.id
), canceled AS (
  UPDATE webhook_delivery SET state = 'canceled', next_at = NULL WHERE id = ANY ($6)
), circuits AS (
  UPDATE webhook_endpoint e SET circuit = c.circuit FROM jsonb_populate_recordset(NULL::webhook_endpoint, $7) c WHERE e.id = c.id
) SELECT taken.*, e.body, j.source ->> 'trace' AS trace FROM taken JOIN webhook_event e ON e.id = taken.event_id
LEFT JOIN job j ON j.id = split_part(taken.event_id, '.', 1)`

interface TakenRow extends DeliveryRow {
  readonly body: string
  readonly trace: string | null
}

/** Due deliveries of these endpoints, claimed. */
export const claimDeliveries = (run: Run, ids: ReadonlyArray<string>, asked: Asked) =>
  Effect.gen(function* () {
    const due = yield* run<DeliveryRow & { readonly moment: number }>(
      "SELECT d.*, earmark_now() AS moment FROM due_deliveries($1, $2, $3) d",
      [ids, asked.want, asked.perEndpoint],
    )
    const now = due[0]?.moment
    if (now === undefined) return []
    const targets = [...new Set(due.map((row) => row.endpoint_id))]
    const rows = yield* run<EndpointRow>("SELECT * FROM webhook_endpoint WHERE id = ANY ($1) ORDER BY id", [
      targets,
    ])
    const endpoints = new Map(rows.map((row) => [row.id, { row, circuit: row.circuit }]))
    const { taken, canceled, postponed } = sort(due, endpoints, now, asked.unitSeconds)
    const probed = [...endpoints.values()].filter(({ row, circuit }) => circuit !== row.circuit)
    const tokens = new Map(taken.map(({ id }) => [id, randomUUID()]))
    const claimed = yield* run<TakenRow>(WRITE, [
      taken.map(({ id }) => id),
      [...tokens.values()],
      timeText(now),
      asked.leaseSeconds,
      json(postponed),
      canceled,
      json(probed.map(({ row, circuit }) => ({ id: row.id, circuit }))),
    ])
    const known = new Map(claimed.map((row) => [row.id, row]))
    return taken.flatMap(({ id, trigger }): ReadonlyArray<ClaimedDelivery> => {
      const row = known.get(id)
      const endpoint = row === undefined ? undefined : endpoints.get(row.endpoint_id)
      if (row === undefined || endpoint === undefined) return []
      const target = endpointOf({ ...endpoint.row, circuit: endpoint.circuit })
      return [
        {
          delivery: deliveryOf(row),
          endpoint: target,
          token: row.lease_token ?? "",
          trigger,
          body: row.body,
          trace: row.trace,
        },
      ]
    })
  })
