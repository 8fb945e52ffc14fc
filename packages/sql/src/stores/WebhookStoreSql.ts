import {
  type AccountId,
  type DeliveryId,
  DeliveryNotFound,
  type EndpointId,
  EndpointNotFound,
} from "@earmark/core/jobs"
import { type ClaimedDelivery, type StorageError, type StoredEndpoint, WebhookStore } from "@earmark/service"
import { Effect, Layer, Ref } from "effect"
import { Database, type Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { PLAN_EACH_TIME } from "../database/statements.js"
import { timeText } from "../database/values.js"
import { Wakes } from "../database/Wakes.js"
import { reapAttempts, recordAttempt } from "./attempts.js"
import { claimDeliveries, ENDPOINT_WINDOW } from "./claimDeliveries.js"
import { changeEndpoint, removeEndpoint, rotateSecret } from "./endpoints.js"
import { guarded, makeTurns } from "./guards.js"
import { pageOf, pageSql, spanSql } from "./pages.js"
import {
  type AttemptRow,
  attemptOf,
  type DeliveryRow,
  deliveryOf,
  type EndpointRow,
  endpointOf,
} from "./webhookRows.js"

const insertEndpoint = (run: Run, endpoint: StoredEndpoint) =>
  Effect.asVoid(
    run(
      `INSERT INTO webhook_endpoint
        (id, account_id, url, description, events, enabled, disabled_reason, secrets, circuit, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
      [
        endpoint.id,
        endpoint.account,
        endpoint.url,
        endpoint.description,
        endpoint.events,
        endpoint.enabled,
        endpoint.disabledReason,
        json(endpoint.secrets),
        json(endpoint.circuit),
        timeText(endpoint.createdAt),
      ],
    ),
  )

const DELIVERY = `SELECT d.*, e.body FROM webhook_delivery d JOIN webhook_event e ON e.id = d.event_id
JOIN webhook_endpoint w ON w.id = d.endpoint_id
WHERE d.id = $3 AND d.endpoint_id = $2 AND d.account_id = $1`

// The attempt under way, or one asked for already, is the one that is asked for.
const REDELIVER = `UPDATE webhook_delivery SET
  before = jsonb_build_object('state', state, 'nextAt', (extract(epoch FROM next_at) * 1000)::bigint),
  state = 'pending', trigger = 'manual', next_at = earmark_now()
WHERE id = $1 AND state <> 'delivering' AND before IS NULL RETURNING *`

const RELEASE = `UPDATE webhook_delivery SET state = 'pending', attempts = attempts - 1,
  scheduled = scheduled - CASE WHEN trigger = 'auto' THEN 1 ELSE 0 END, next_at = earmark_now(), lease_token = NULL,
  lease_until = NULL WHERE id = $1 AND lease_token = $2 AND state = 'delivering'`

const SWEEP = `WITH old AS (
  DELETE FROM webhook_attempt WHERE (delivery_id, number) IN (
    SELECT delivery_id, number FROM webhook_attempt WHERE started_at < earmark_now() - interval '30 days' LIMIT $1
  ) RETURNING 1
) SELECT count(*) AS count FROM old`

const MOST_WINDOWS = 64

const make = Effect.gen(function* () {
  const database = yield* Database
  const wakes = yield* Wakes
  const inTurn = makeTurns()
  const position = yield* Ref.make("")

  const findEndpoint = (account: AccountId, id: EndpointId) =>
    Effect.flatMap(
      database.query<EndpointRow>(
        "WebhookStore.endpoint",
        "SELECT * FROM webhook_endpoint WHERE id = $2 AND account_id = $1",
        [account, id],
        { reads: true, account },
      ),
      ([row]) =>
        row === undefined ? Effect.fail(new EndpointNotFound({ id })) : Effect.succeed(endpointOf(row)),
    )

  const findDelivery = (run: Run, account: AccountId, endpoint: EndpointId, id: DeliveryId) =>
    Effect.flatMap(
      run<DeliveryRow & { readonly body: string }>(DELIVERY, [account, endpoint, id]),
      ([row]) => (row === undefined ? Effect.fail(new DeliveryNotFound({ id })) : Effect.succeed(row)),
    )

  const claimFrom = (
    start: string,
    asked: Parameters<WebhookStore["Type"]["claim"]>[0],
    windows: number,
  ): Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError> =>
    Effect.gen(function* () {
      const [seen] = yield* database.query<{ readonly endpoints: ReadonlyArray<string> }>(
        "WebhookStore.claim",
        "SELECT pending_endpoints($1, $2) AS endpoints",
        [start, ENDPOINT_WINDOW],
        { reads: true },
      )
      const endpoints = seen?.endpoints ?? []
      if (endpoints.length === 0) return []
      const claimed = yield* database.transaction("WebhookStore.claim", (run) =>
        claimDeliveries(run, endpoints, asked),
      )
      const last = claimed.at(-1)
      if (last !== undefined) {
        yield* Ref.set(position, last.endpoint.id)
        return claimed
      }
      const next = endpoints.at(ENDPOINT_WINDOW - 1)
      return next === undefined || windows === 0 ? [] : yield* claimFrom(next, asked, windows - 1)
    })

  return WebhookStore.of({
    createEndpoint: (endpoint, { guard }) =>
      inTurn(
        endpoint.account,
        guard,
        database.transaction(
          "WebhookStore.createEndpoint",
          (run) => guarded(run, endpoint.account, guard, () => insertEndpoint(run, endpoint)),
          { account: endpoint.account },
        ),
      ),

    endpoints: (account, page) => {
      const { rest, sorted, values } = pageSql(page, 2)
      return Effect.map(
        database.query<EndpointRow>(
          "WebhookStore.endpoints",
          `SELECT * FROM webhook_endpoint WHERE account_id = $1 AND ${rest} ${sorted}`,
          [account, ...values],
          { reads: true, account },
        ),
        (rows) => pageOf(rows.map(endpointOf), page.limit),
      )
    },

    endpoint: findEndpoint,

    updateEndpoint: (account, id, change) =>
      database.transaction("WebhookStore.updateEndpoint", (run) => changeEndpoint(run, account, id, change), {
        account,
      }),

    rotateSecret: (account, id, rotation) =>
      database.transaction("WebhookStore.rotateSecret", (run) => rotateSecret(run, account, id, rotation), {
        account,
      }),

    removeEndpoint: (account, id) =>
      database.transaction("WebhookStore.removeEndpoint", (run) => removeEndpoint(run, account, id), {
        account,
      }),

    deliveries: (account, endpoint, filter) =>
      Effect.gen(function* () {
        const { state, eventType, limit } = filter
        const { within, bounds } = spanSql(filter, 5)
        const { rest, sorted, values } = pageSql(filter, 7)
        yield* findEndpoint(account, endpoint)
        const rows = yield* database.query<DeliveryRow>(
          "WebhookStore.deliveries",
          `${PLAN_EACH_TIME} SELECT * FROM webhook_delivery
          WHERE account_id = $1 AND endpoint_id = $2 AND ($3::text IS NULL OR state = $3)
            AND ($4::text IS NULL OR event_type = $4) AND ${within} AND ${rest} ${sorted}`,
          [account, endpoint, state ?? null, eventType ?? null, ...bounds, ...values],
          { reads: true, account },
        )
        return pageOf(rows.map(deliveryOf), limit)
      }),

    delivery: (account, endpoint, id) =>
      database.transaction(
        "WebhookStore.delivery",
        (run) =>
          Effect.gen(function* () {
            const row = yield* findDelivery(run, account, endpoint, id)
            const attempts = yield* run<AttemptRow>(
              "SELECT * FROM webhook_attempt WHERE delivery_id = $1 ORDER BY number",
              [id],
            )
            return { ...deliveryOf(row), body: row.body, attemptLog: attempts.map(attemptOf) }
          }),
        { account },
      ),

    redeliver: (account, endpoint, id) =>
      Effect.zipLeft(
        database.transaction(
          "WebhookStore.redeliver",
          (run) =>
            Effect.gen(function* () {
              const before = yield* findDelivery(run, account, endpoint, id)
              const [asked] = yield* run<DeliveryRow>(REDELIVER, [id])
              return deliveryOf(asked ?? before)
            }),
          { account },
        ),
        wakes.wake("deliveries"),
      ),

    createTest: (account, endpoint, id, event, body) =>
      Effect.gen(function* () {
        yield* findEndpoint(account, endpoint)
        const rows = yield* database.query<DeliveryRow>(
          "WebhookStore.createTest",
          `WITH event AS (
            INSERT INTO webhook_event (id, account_id, type, body, created_at) VALUES ($3, $1, $4, $5, earmark_now())
          ) INSERT INTO webhook_delivery
            (id, event_id, endpoint_id, account_id, event_type, state, trigger, next_at, created_at)
          VALUES ($6, $3, $2, $1, $4, 'pending', 'test', earmark_now(), earmark_now()) RETURNING *`,
          [account, endpoint, event.id, event.type, body, id],
          { account },
        )
        yield* wakes.wake("deliveries")
        const [row] = rows
        return row === undefined ? yield* Effect.dieMessage("an insert answers its row") : deliveryOf(row)
      }),

    claim: (asked) =>
      asked.want <= 0
        ? Effect.succeed([])
        : Effect.flatMap(Ref.get(position), (start) => claimFrom(start, asked, MOST_WINDOWS)),

    record: (claimed, outcome, rules) =>
      database.transaction("WebhookStore.record", (run) => recordAttempt(run, claimed, outcome, rules)),

    release: ({ delivery, token }) =>
      Effect.zipRight(
        database.query("WebhookStore.release", RELEASE, [delivery.id, token]),
        wakes.wake("deliveries"),
      ),

    reapExpired: (limit, rules) =>
      database.transaction("WebhookStore.reapExpired", (run) => reapAttempts(run, limit, rules)),

    wakeUps: wakes.wakeUps("deliveries"),

    sweep: (limit) =>
      Effect.map(
        database.query<{ readonly count: number }>("WebhookStore.sweep", SWEEP, [limit]),
        ([row]) => row?.count ?? 0,
      ),
  })
})

export const layer = Layer.effect(WebhookStore, make)
