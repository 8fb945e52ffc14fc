import type { AccountId } from "@earmark/core/jobs"
import type { Finished, StoredJob } from "../ports/records.js"
import { resultFromCache } from "../ports/stored.js"
import type { Transaction } from "./MemoryDatabase.js"

const PUBLIC = "public"

/** Remembers a done job as the result for its keys: for everybody, or for its account only. */
export const remember = (
  db: Transaction,
  job: StoredJob,
  { cacheKeys, shared }: { readonly cacheKeys: ReadonlyArray<string>; readonly shared: boolean },
): void => {
  for (const key of cacheKeys) db.cache.set(`${shared ? PUBLIC : job.account} ${key}`, job.id)
}

const resultOf = (
  db: Transaction,
  id: string | undefined,
  account: AccountId,
): (Finished & { readonly title: string | null }) | null => {
  const job = id === undefined ? undefined : db.jobs.get(id)
  const content = id === undefined ? undefined : db.contents.get(id)
  if (job === undefined || content === undefined) return null
  if (job.expiresAt !== null && job.expiresAt <= db.now) return null
  return resultFromCache(job, content, account)
}

export const cachedResult = (db: Transaction, account: AccountId, cacheKey: string) =>
  resultOf(db, db.cache.get(`${account} ${cacheKey}`), account) ??
  resultOf(db, db.cache.get(`${PUBLIC} ${cacheKey}`), account)
