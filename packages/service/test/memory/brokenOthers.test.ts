import type { AccountId } from "@earmark/core/jobs"
import {
  accountsCases,
  apiKeysCases,
  idempotencyCases,
  ledgerCases,
  paymentCases,
  uploadStoreCases,
  webhookStoreCases,
} from "@earmark/testkit/contracts"
import { Effect, Stream } from "effect"
import {
  Accounts,
  ApiKeys,
  Idempotency,
  Ledger,
  type PageRequest,
  PaymentStore,
  UploadStore,
  WebhookStore,
} from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, suiteCatches } from "./breaking.js"

const newestFirst = <Asked extends PageRequest>(page: Asked): Asked => ({ ...page, order: "desc" })

const ledger = breaksOf(Ledger, ledgerCases)
const ledgerTables = breaksOfTables(ledgerCases)

suiteCatches("Ledger", [
  ledgerTables(
    "credits a payment each time it is told of it",
    ({ transactions }) => ({ transactions: { ...transactions, has: () => false } }),
    "a payment credits once",
    "a grant of the operator counts once",
    "an adjustment happens once",
    "a refund happens once",
  ),
  ledgerTables(
    "never goes below zero, not even for a refund",
    ({ balances }) => ({
      balances: keeping(balances, (row) => ({ ...row, posted: Math.max(0, row.posted), floor: 0 })),
    }),
    "a refund happens once, may go below zero",
  ),
  ledgerTables(
    "turns a debt into credit",
    ({ balances }) => ({
      balances: keeping(balances, (row, before) => ({ ...row, floor: before?.floor ?? row.floor })),
    }),
    "a refund happens once, may go below zero",
  ),
  ledger(
    "counts a grant apart from a purchase with its reference",
    ({ topUp }) => ({
      topUp: (account, payment) => topUp(account, { ...payment, payment: `${payment.payment} bought` }),
    }),
    "a grant of the operator counts once",
    "a line tells what it was for",
  ),
  ledger(
    "tells of no earlier grant",
    ({ adjust }) => ({
      adjust: (...given) => Effect.map(adjust(...given), (credited) => ({ ...credited, earlier: null })),
    }),
    "a grant of the operator counts once",
  ),
  ledger(
    "unlocks nothing",
    ({ topUp }) => ({ topUp: (account, payment) => topUp(account, { ...payment, kind: "reload" }) }),
    "a purchase unlocks, a reload does not",
    "a payment credits once",
  ),
  ledger(
    "unlocks by a reload",
    ({ topUp }) => ({ topUp: (account, payment) => topUp(account, { ...payment, kind: "purchase" }) }),
    "a purchase unlocks, a reload does not",
  ),
  ledger(
    "shows the lines of everybody",
    (whole) => {
      const seen = new Set<AccountId>()
      return {
        entries: (account, page) =>
          Effect.gen(function* () {
            seen.add(account)
            const pages = yield* Effect.forEach(seen, (each) => whole.entries(each, page))
            const [first] = pages
            return { items: pages.flatMap(({ items }) => items), next: first?.next ?? null }
          }),
        adjust: (account, amount, reference) => {
          seen.add(account)
          return whole.adjust(account, amount, reference)
        },
        balance: (account) =>
          Effect.map(whole.balance(account), (balance) => ({ ...balance, posted: balance.posted + 1 })),
      }
    },
    "the lines of an account are its own",
  ),
  ledgerTables(
    "opens a reload beside one that is being charged",
    ({ reloads, now }) => ({
      reloads: { ...reloads, filter: (fits) => reloads.filter((row) => row.nextAt <= now && fits(row)) },
    }),
    "a reload opens only when it is asked for",
  ),
  ledger(
    "opens no reload before somebody looks",
    ({ takeReload, takeDueReloads }) => {
      const seen = new Set<string>()
      return {
        takeReload: (account) =>
          Effect.tap(takeReload(account), (reload) => Effect.sync(() => seen.add(reload?.id ?? ""))),
        takeDueReloads: (limit) =>
          Effect.map(takeDueReloads(limit), (due) => due.filter(({ id }) => seen.has(id))),
      }
    },
    "the hold that takes what is available below",
    "a batch, a raised hold, a retry and a correction",
  ),
  ledgerTables(
    "opens a reload whatever is left",
    ({ reloadSettings }) => ({
      reloadSettings: keeping(reloadSettings, (row) => ({ ...row, threshold: 1_000_000 })),
    }),
    "the hold that takes what is available below",
    "a reload opens only when it is asked for",
  ),
  ledgerTables(
    "lets a reload be charged by two at once",
    ({ reloads, now }) => ({ reloads: keeping(reloads, (row) => ({ ...row, nextAt: now })) }),
    "an open reload is due at its time",
    "a reload opens only when it is asked for",
  ),
  ledger(
    "forgets to top up",
    ({ recordReload }) => ({
      recordReload: (id, outcome) => recordReload(id, { ...outcome, state: "processing" }),
    }),
    "a reload that succeeded tops up once",
  ),
  ledger(
    "tops a reload up under a key of its own",
    ({ recordReload }) => ({
      recordReload: (id, outcome) => recordReload(id, { ...outcome, providerReference: null }),
    }),
    "a reload that succeeded tops up once",
  ),
  ledger(
    "finds every open reload due",
    ({ recordReload }) => ({ recordReload: (id, outcome) => recordReload(id, { ...outcome, nextAt: 0 }) }),
    "an open reload is due at its time",
  ),
  ledgerTables(
    "tries again right after a decline",
    ({ reloads }) => ({ reloads: keeping(reloads, (row) => ({ ...row, declinedAt: null })) }),
    "after a decline no reload opens for an hour",
  ),
  ledgerTables(
    "knows no monthly cap",
    ({ reloadSettings }) => ({
      reloadSettings: keeping(reloadSettings, (row) => ({ ...row, monthlyCap: 1_000_000 })),
    }),
    "no more is bought in a month than allowed",
  ),
  ledger(
    "has one order",
    ({ entries }) => ({ entries: (account, page) => entries(account, newestFirst(page)) }),
    "each line of an account is listed oldest first",
  ),
  ledger(
    "leaves out the first moment of a span of time",
    ({ entries }) => ({
      entries: (account, { from, ...filter }) =>
        entries(account, { ...filter, ...(from !== undefined && { from: from + 1 }) }),
    }),
    "the lines of an account are narrowed to a span of time and to a kind",
  ),
  ledger(
    "takes every kind of line for the one that is asked for",
    ({ entries }) => ({ entries: (account, { kind: _, ...filter }) => entries(account, filter) }),
    "the lines of an account are narrowed to a span of time and to a kind",
  ),
])

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

const accounts = breaksOf(Accounts, accountsCases)
const keys = breaksOf(ApiKeys, apiKeysCases)
const keyTables = breaksOfTables(apiKeysCases)
const idempotency = breaksOf(Idempotency, idempotencyCases)
const uploads = breaksOf(UploadStore, uploadStoreCases)
const uploadTables = breaksOfTables([...uploadStoreCases, ...ledgerCases])

suiteCatches("other", [
  uploadTables(
    "makes an account again",
    (tables) => ({ accounts: { ...tables.accounts, get: () => undefined } }),
    "a new account has its free credits, once",
  ),
  accounts(
    "gives an account no other name",
    ({ get }) => ({ rename: (id) => get(id) }),
    "one account gets another name",
  ),
  accounts(
    "gives every account the limits of one",
    (store) => ({
      get: (id) =>
        Effect.map(store.get(id), (account) => ({
          ...account,
          limits: { ...account.limits, maxWaitingJobs: 3 },
        })),
    }),
    "limits are set for one account",
  ),
  keyTables(
    "makes a key again",
    ({ apiKeys }) => ({ apiKeys: { ...apiKeys, get: () => undefined } }),
    "of racing creations of one key one makes it",
  ),
  keyTables(
    "finds a key after its revocation",
    ({ apiKeys }) => ({ apiKeys: keeping(apiKeys, (row) => ({ ...row, revokedAt: null })) }),
    "a revoked key is not found",
  ),
  keyTables(
    "has no limits of keys",
    ({ apiKeys }) => ({ apiKeys: keeping(apiKeys, (row) => ({ ...row, monthlyCredits: null })) }),
    "a key uses no more credits in a month than its limit allows",
    "of racing jobs of a key as many are made",
    "a batch fits into the month of its key",
    "the limit of a key is changed",
  ),
  keyTables(
    "finds a key after its end",
    ({ apiKeys }) => ({ apiKeys: keeping(apiKeys, (row) => ({ ...row, expiresAt: null })) }),
    "a key is not found from its end on",
  ),
  keys(
    "changes keys of others",
    (store) => {
      const owners = new Map<string, AccountId>()
      return {
        create: (key) => {
          owners.set(key.id, key.account)
          return store.create(key)
        },
        get: (account, id) => store.get(owners.get(id) ?? account, id),
        update: (account, id, patch) => store.update(owners.get(id) ?? account, id, patch),
        revoke: (account, id) => store.revoke(owners.get(id) ?? account, id),
      }
    },
    "a key is renamed by its account alone",
    "the keys of an account are its own",
  ),
  keys(
    "has one order of keys",
    ({ list }) => ({ list: (account, page) => list(account, newestFirst(page)) }),
    "each key of an account is listed oldest first",
  ),
  keyTables(
    "notes every use of a key",
    ({ apiKeys, now }) => ({
      apiKeys: {
        ...apiKeys,
        get: (key) => {
          const row = apiKeys.get(key)
          return row === undefined
            ? row
            : { ...row, lastUsedAt: row.lastUsedAt === null ? null : now - 60_000 }
        },
      },
    }),
    "the last use of a key is noted, at most once a minute",
  ),
  idempotency(
    "remembers the last answer",
    (store) => ({
      remember: (account, guard) => Effect.as(store.remember(account, guard), { type: "done" }),
    }),
    "an answer is remembered once",
    "of racing answers under one key one is kept",
  ),
  uploads(
    "lets bytes arrive twice",
    ({ markStored }) => ({ markStored: (mediaRef, etag) => Effect.as(markStored(mediaRef, etag), true) }),
    "bytes arrive once",
  ),
  uploadTables(
    "shows uploads to everybody, for ever",
    ({ uploads: all }) => ({ uploads: keeping(all, (row) => ({ ...row, expiresAt: row.expiresAt * 2 })) }),
    "an upload is known to its own account only",
    "what nobody used in time is swept once",
  ),
  uploads(
    "sweeps what is used",
    () => ({ markUsed: () => Effect.void }),
    "what nobody used in time is swept once",
    "what was kept of the sound of a job goes with the job",
  ),
  uploadTables(
    "never gives an upload up",
    ({ uploads: table }) => ({
      uploads: keeping(table, (row, before) => (before?.state === "used" ? before : row)),
    }),
    "what was kept of the sound of a job goes with the job",
    "an upload stays as long as a job may need it",
    "an upload whose jobs are removed at the same moment",
  ),
  uploadTables(
    "gives an upload up with the first of its jobs",
    ({ jobs }) => ({
      jobs: {
        ...jobs,
        filter: (fits) => jobs.filter((job) => fits(job) && job.source.shown.kind !== "upload"),
      },
    }),
    "an upload stays as long as a job may need it",
  ),
])

const payments = breaksOf(PaymentStore, paymentCases)
const paymentTables = breaksOfTables(paymentCases)

suiteCatches("PaymentStore", [
  payments(
    "takes a repeat for the order",
    (whole) => ({ begin: (order) => Effect.as(whole.begin(order), order) }),
    "an order is kept as it was written first",
  ),
  payments(
    "forgets a payment when it is told of another state",
    (whole) => ({
      get: (id) =>
        Effect.map(whole.get(id), (order) =>
          order === null || order.state === "succeeded" ? order : { ...order, payment: null },
        ),
    }),
    "what succeeded stays so",
  ),
  payments(
    "knows one payer for all providers",
    (whole) => ({
      payer: (account) => whole.payer(account, "all"),
      putPayer: (account, _, payer) => whole.putPayer(account, "all", payer),
    }),
    "who paid last for an account is its payer",
  ),
  payments(
    "shows purchases to everybody",
    (whole) => ({
      purchase: (_, id) => whole.get(id),
      purchases: ({ isOpen }, page) => whole.purchases({ isOpen }, page),
    }),
    "purchases of an account are its own",
  ),
  paymentTables(
    "takes a charge for a purchase",
    ({ payments: table }) => ({ payments: keeping(table, (row) => ({ ...row, reload: null })) }),
    "purchases of an account are its own",
    "open purchases are those",
  ),
  payments(
    "asks nobody whether they are paid",
    ({ purchases }) => ({ purchases: ({ account }, page) => purchases({ account }, page) }),
    "open purchases are those",
  ),
  payments(
    "reads an order and then decides it",
    ({ get, follow }) => ({
      decide: (id, state) =>
        Effect.gen(function* () {
          const order = yield* get(id)
          yield* Effect.yieldNow()
          if (order?.state !== "pending") return order
          yield* follow(id, { state, payment: null })
          return { ...order, state }
        }),
    }),
    "an order that is pending is paid or canceled",
  ),
  payments(
    "has one order of purchases",
    ({ purchases }) => ({ purchases: (filter, page) => purchases(filter, newestFirst(page)) }),
    "each purchase of an account is listed oldest first",
  ),
])
