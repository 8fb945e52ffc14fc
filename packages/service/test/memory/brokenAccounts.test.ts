import type { AccountId } from "@earmark/core/jobs"
import {
  accountsCases,
  apiKeysCases,
  idempotencyCases,
  ledgerCases,
  uploadStoreCases,
} from "@earmark/testkit/contracts"
import { Effect } from "effect"
import { Accounts, ApiKeys, Idempotency, UploadStore } from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, newestFirst, suiteCatches } from "./breaking.js"

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
