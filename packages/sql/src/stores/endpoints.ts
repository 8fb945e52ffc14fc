import { type AccountId, type EndpointId, EndpointNotFound } from "@earmark/core/jobs"
import { changedEndpoint, type EndpointChange, rotatedSecrets, type SecretRotation } from "@earmark/service"
import { Effect } from "effect"
import type { Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { type EndpointRow, endpointOf } from "./webhookRows.js"

/** Nothing more goes to the endpoint. Deliveries are locked before their endpoint, here as everywhere. */
export const cancelOpen = (run: Run, endpoint: EndpointId) =>
  run(
    `UPDATE webhook_delivery SET state = 'canceled', next_at = NULL, lease_token = NULL, lease_until = NULL, before = NULL
    WHERE id IN (SELECT id FROM webhook_delivery WHERE endpoint_id = $1 AND state IN ('pending', 'delivering') ORDER BY id FOR UPDATE)`,
    [endpoint],
  )

/** The endpoint of the account, locked. */
const lockEndpoint = (run: Run, account: AccountId, id: EndpointId) =>
  Effect.flatMap(
    run<EndpointRow>("SELECT * FROM webhook_endpoint WHERE id = $2 AND account_id = $1 FOR UPDATE", [
      account,
      id,
    ]),
    ([row]) =>
      row === undefined ? Effect.fail(new EndpointNotFound({ id })) : Effect.succeed(endpointOf(row)),
  )

export const changeEndpoint = (run: Run, account: AccountId, id: EndpointId, change: EndpointChange) =>
  Effect.gen(function* () {
    const own = yield* run("SELECT 1 FROM webhook_endpoint WHERE id = $2 AND account_id = $1", [account, id])
    if (own.length > 0 && change.enabled === false) yield* cancelOpen(run, id)
    const before = yield* lockEndpoint(run, account, id)
    const after = changedEndpoint(before, change)
    yield* run(
      `UPDATE webhook_endpoint SET url = $2, description = $3, events = $4, enabled = $5, disabled_reason = $6,
        circuit = $7, secrets = $8 WHERE id = $1`,
      [
        id,
        after.url,
        after.description,
        after.events,
        after.enabled,
        after.disabledReason,
        json(after.circuit),
        json(after.secrets),
      ],
    )
    return after
  })

export const rotateSecret = (run: Run, account: AccountId, id: EndpointId, rotation: SecretRotation) =>
  Effect.gen(function* () {
    const endpoint = yield* lockEndpoint(run, account, id)
    const [clock] = yield* run<{ readonly now: number }>("SELECT earmark_now() AS now")
    const secrets = yield* rotatedSecrets(endpoint.secrets, rotation, clock?.now ?? 0)
    yield* run("UPDATE webhook_endpoint SET secrets = $2 WHERE id = $1", [id, json(secrets)])
    return { ...endpoint, secrets }
  })

export const removeEndpoint = (run: Run, account: AccountId, id: EndpointId) =>
  Effect.gen(function* () {
    const own = yield* run("SELECT 1 FROM webhook_endpoint WHERE id = $2 AND account_id = $1", [account, id])
    if (own.length === 0) return yield* new EndpointNotFound({ id })
    yield* cancelOpen(run, id)
    yield* run("DELETE FROM webhook_endpoint WHERE id = $1", [id])
  })
