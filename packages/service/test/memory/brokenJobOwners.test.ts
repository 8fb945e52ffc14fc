import type { AccountId, JobId } from "@earmark/core/jobs"
import { Effect } from "effect"
import type { JobStore } from "../../src/index.js"
import { type Break, suiteCatches } from "./breaking.js"
import { breaking } from "./breakingJobs.js"

type Store = JobStore["Type"]

/** Takes everybody for the owner of a job. */
const leaking = (
  method: string,
  use: (store: Store, owner: (id: JobId) => AccountId) => Partial<Store>,
): Break => {
  const owners = new Map<JobId, AccountId>()
  const owner = (id: JobId) => owners.get(id) ?? Effect.runSync(Effect.dieMessage("nobody made it"))
  return breaking(
    `lets another account ${method}`,
    (store) => ({
      create: (job, options) => {
        owners.set(job.id, job.account)
        return store.create(job, options)
      },
      createDone: (job, finished, options) => {
        owners.set(job.id, job.account)
        return store.createDone(job, finished, options)
      },
      ...use(store, owner),
    }),
    "what belongs to another account does not exist",
  )
}

/** Does for all accounts what is asked for one. */
const finding = (
  what: string,
  use: (store: Store, everybody: () => ReadonlyArray<AccountId>) => Partial<Store>,
): Break => {
  const accounts = new Set<AccountId>()
  return breaking(
    `${what} the jobs of everybody`,
    (store) => ({
      createDone: (job, finished, options) => {
        accounts.add(job.account)
        return store.createDone(job, finished, options)
      },
      ...use(store, () => [...accounts]),
    }),
    "what belongs to another account does not exist",
  )
}

suiteCatches("JobStore", [
  leaking("read its jobs", (store, owner) => ({ get: (_, id) => store.get(owner(id), id) })),
  leaking("read its transcripts", (store, owner) => ({ content: (_, id) => store.content(owner(id), id) })),
  leaking("change its jobs", (store, owner) => ({
    patch: (_, id, patch) => store.patch(owner(id), id, patch),
  })),
  leaking("cancel its jobs", (store, owner) => ({ cancel: (_, id) => store.cancel(owner(id), id) })),
  leaking("retry its jobs", (store, owner) => ({ retry: (_, id, hold) => store.retry(owner(id), id, hold) })),
  leaking("remove its jobs", (store, owner) => ({ remove: (_, id) => store.remove(owner(id), id) })),
  finding("lists", (store, everybody) => ({
    list: (_, filter) =>
      Effect.map(
        Effect.forEach(everybody(), (account) => store.list(account, filter)),
        (pages) => ({
          items: pages.flatMap(({ items }) => items),
          next: null,
        }),
      ),
  })),
  finding("searches", (store, everybody) => ({
    search: (_, filter) =>
      Effect.map(
        Effect.forEach(everybody(), (account) => store.search(account, filter)),
        (found) => found.flat(),
      ),
  })),
  finding("sums up", (store, everybody) => ({
    usage: (_, range) =>
      Effect.map(
        Effect.forEach(everybody(), (account) => store.usage(account, range)),
        (found) => found.flat(),
      ),
  })),
  breaking(
    "shows batches of others",
    (store) => {
      const owners = new Map<string, AccountId>()
      return {
        createBatch: (batch) => {
          owners.set(batch.id, batch.account)
          return store.createBatch(batch)
        },
        batch: (account, id) => store.batch(owners.get(id) ?? account, id),
        batches: (account, page) => store.batches([...owners.values()][0] ?? account, page),
      }
    },
    "what belongs to another account does not exist",
    "each batch of an account is listed oldest first",
  ),
  breaking(
    "hands results of one account to another",
    (store) => {
      const found = new Map<string, Effect.Effect.Success<ReturnType<Store["cached"]>>>()
      return {
        cached: (account, key) =>
          Effect.map(store.cached(account, key), (result) => {
            if (result !== null) found.set(key, result)
            return found.get(key) ?? null
          }),
      }
    },
    "a result is found again by its own account",
  ),
  breaking(
    "says for ever that there is a result that it has had once",
    (store) => {
      const found = new Set<string>()
      return {
        isCached: (account, key) =>
          Effect.map(store.isCached(account, key), (isThere) => {
            if (isThere) found.add(`${account} ${key}`)
            return found.has(`${account} ${key}`)
          }),
      }
    },
    "a result is found again by its own account",
  ),
])
