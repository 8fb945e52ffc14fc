import type { AccountId } from "@earmark/core/jobs"
import { bestHolding } from "@earmark/core/questions"
import { mayHold } from "@earmark/core/text"
import type { Holding, HoldingFilter } from "../ports/JobStore.js"
import type { Transaction } from "./MemoryDatabase.js"
import { isNewer } from "./pages.js"
import { wordsOfJob } from "./searchJobs.js"

/** Which transcripts have words that begin so. */
export const holdingJobs = (
  db: Transaction,
  account: AccountId,
  { beginnings, batch, limit }: HoldingFilter,
): Holding => {
  const rows = db.jobs
    .filter((job) => job.account === account && (batch === undefined || job.batch === batch))
    .sort((left, right) => (isNewer(left, right) ? -1 : 1))
    .flatMap(({ id }) => {
      const words = wordsOfJob(db, id)
      if (words === undefined) return []
      return [{ id, held: beginnings.map((wanted) => mayHold(words, wanted)) }]
    })
  return { total: rows.length, ids: bestHolding(rows, limit).map(({ id }) => id) }
}
