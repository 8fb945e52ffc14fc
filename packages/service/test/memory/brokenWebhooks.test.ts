import type { AccountId } from "@earmark/core/jobs"
import { webhookStoreCases } from "@earmark/testkit/contracts"
import { Effect, Stream } from "effect"
import { WebhookStore } from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, newestFirst, suiteCatches } from "./breaking.js"

const webhooks = breaksOf(WebhookStore, webhookStoreCases)
const webhookTables = breaksOfTables(webhookStoreCases)

suiteCatches("WebhookStore", [
  webhooks(
    "rotates a secret whatever it was",
    (store) => ({
      rotateSecret: (account, id, rotation) =>
        Effect.flatMap(store.endpoint(account, id), ({ secrets }) =>
          store.rotateSecret(account, id, { ...rotation, from: secrets[0]?.sealed ?? "" }),
        ),
    }),
    "of racing rotations of a secret one succeeds",
  ),
  webhookTables(
    "keeps one old secret",
    ({ endpoints }) => ({
      endpoints: keeping(endpoints, (row) => ({ ...row, secrets: row.secrets.slice(0, 2) })),
    }),
    "no secret is dropped before its grace is over",
  ),
  webhookTables(
    "keeps old secrets for longer than they were given",
    ({ endpoints }) => ({
      endpoints: keeping(endpoints, (row, before) => ({
        ...row,
        secrets: row.secrets.map((secret) => {
          const known = before?.secrets.find(({ sealed }) => sealed === secret.sealed)
          return { ...secret, endsAt: known?.endsAt ?? secret.endsAt }
        }),
      })),
    }),
    "no secret is dropped before its grace is over",
  ),
  webhookTables(
    "sends other bytes each time",
    ({ events, nextNumber }) => ({
      events: {
        ...events,
        get: (key) => {
          const row = events.get(key)
          return row === undefined ? row : { ...row, body: row.body.replace("{", `{"n":${nextNumber()},`) }
        },
      },
    }),
    "a delivery that fails is tried six times",
    "a sender that vanished costs one attempt",
  ),
  webhooks(
    "tries more than six times",
    (store) => ({
      record: (claimed, outcome, rules) =>
        store.record(claimed, outcome, { ...rules, backoff: [...rules.backoff, 18_000] }),
    }),
    "a delivery that fails is tried six times",
  ),
  webhookTables(
    "counts an attempt when it is told of",
    ({ deliveries }) => ({
      deliveries: keeping(deliveries, (row, before) =>
        row.state === "delivering" && before !== undefined
          ? { ...row, attempts: before.attempts, scheduled: before.scheduled }
          : row,
      ),
    }),
    "a due delivery is claimed with its bytes",
    "six vanished senders are six attempts",
  ),
  webhookTables(
    "gives a rest to no endpoint",
    ({ endpoints }) => ({
      endpoints: keeping(endpoints, (row) => ({
        ...row,
        circuit: { ...row.circuit, state: "closed", until: null },
      })),
    }),
    "an endpoint that keeps failing rests",
  ),
  webhookTables(
    "uses an attempt up when it puts a delivery off",
    ({ deliveries }) => ({
      deliveries: keeping(deliveries, (row, before) =>
        row.state === "pending" && before?.state === "pending" && row.trigger === "auto"
          ? { ...row, attempts: row.attempts + 1, scheduled: row.scheduled + 1 }
          : row,
      ),
    }),
    "an endpoint that keeps failing rests",
  ),
  webhookTables(
    "makes a new schedule for a redelivery",
    ({ deliveries }) => ({
      deliveries: keeping(deliveries, (row) =>
        row.trigger === "manual" ? { ...row, trigger: "auto", scheduled: 0, before: null } : row,
      ),
    }),
    "a redelivery is one attempt at once",
  ),
  webhooks(
    "hands a delivery out twice",
    (store) => {
      let last: Effect.Effect.Success<ReturnType<typeof store.claim>> = []
      return {
        claim: (options) =>
          Effect.map(store.claim(options), (claimed) => {
            if (claimed.length > 0) last = claimed
            return last
          }),
      }
    },
    "a due delivery is claimed with its bytes",
  ),
  webhooks(
    "lets one endpoint take every slot",
    ({ claim }) => ({ claim: (options) => claim({ ...options, perEndpoint: 1000 }) }),
    "no more than so many of one endpoint",
  ),
  webhooks(
    "asks on where nobody is any more",
    ({ record }) => ({
      record: (claimed, outcome, rules) =>
        record(claimed, { ...outcome, status: outcome.status === 410 ? 500 : outcome.status }, rules),
    }),
    "a receiver that is gone is not asked again",
  ),
  webhookTables(
    "keeps an endpoint that does nothing but fail",
    ({ endpoints }) => ({
      endpoints: keeping(endpoints, (row) => ({
        ...row,
        enabled: row.enabled || row.disabledReason === "failing",
      })),
    }),
    "an endpoint that does nothing but fail for five days",
  ),
  webhooks(
    "never reaps",
    () => ({ reapExpired: () => Effect.succeed(0) }),
    "a sender that vanished",
    "six vanished senders",
  ),
  webhookTables(
    "believes who tells of an attempt too late",
    ({ deliveries }) => ({
      deliveries: keeping(deliveries, (row, before) =>
        row.token === null && before?.token
          ? { ...row, token: before.token, leaseUntil: Number.MAX_VALUE }
          : row,
      ),
    }),
    "a failure that is told too late",
  ),
  webhookTables(
    "sends on after a success that was told too late",
    ({ deliveries }) => ({
      deliveries: keeping(deliveries, (row, before) =>
        row.state === "succeeded" && before?.state === "pending" ? before : row,
      ),
    }),
    "nothing is sent after a success",
  ),
  webhooks(
    "keeps secrets that were to end",
    ({ updateEndpoint }) => ({
      updateEndpoint: (account, id, { endsOldSecrets: _, ...change }) => updateEndpoint(account, id, change),
    }),
    "the secrets before the current one can be ended",
  ),
  webhooks(
    "cancels nothing",
    ({ updateEndpoint }) => ({
      updateEndpoint: (account, id, { enabled: _, disabledReason: __, ...change }) =>
        updateEndpoint(account, id, change),
    }),
    "disabling an endpoint cancels what is pending",
  ),
  webhooks(
    "knows no account",
    (store) => {
      const owners = new Map<string, AccountId>()
      return {
        createEndpoint: (endpoint, options) => {
          owners.set(endpoint.id, endpoint.account)
          return store.createEndpoint(endpoint, options)
        },
        endpoint: (account, id) => store.endpoint(owners.get(id) ?? account, id),
      }
    },
    "an endpoint is what it was registered as",
  ),
  webhooks("never tells that something is due", () => ({ wakeUps: Stream.never }), "a wake-up comes soon"),
  webhooks(
    "keeps attempts for ever",
    () => ({ sweep: () => Effect.succeed(0) }),
    "attempts are kept for thirty days",
  ),
  webhooks(
    "has one order",
    ({ endpoints, deliveries }) => ({
      endpoints: (account, page) => endpoints(account, newestFirst(page)),
      deliveries: (account, endpoint, page) => deliveries(account, endpoint, newestFirst(page)),
    }),
    "each endpoint of an account is listed oldest first",
    "each delivery to an endpoint is listed oldest first",
  ),
  webhooks(
    "forgets the end of a span of time",
    ({ deliveries }) => ({
      deliveries: (account, endpoint, { to: _, ...filter }) => deliveries(account, endpoint, filter),
    }),
    "deliveries are narrowed to a span of time and to an event",
  ),
  webhooks(
    "takes every event for the one that is asked for",
    ({ deliveries }) => ({
      deliveries: (account, endpoint, { eventType: _, ...filter }) => deliveries(account, endpoint, filter),
    }),
    "deliveries are narrowed to a span of time and to an event",
  ),
])
