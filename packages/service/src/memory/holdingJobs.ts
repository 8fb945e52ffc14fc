import type { AccountId } from "@earmark/core/jobs"
import { bestHolding } from "@earmark/core/questions"
import type { Holding, HoldingFilter } from "../ports/JobStore.js"
import type { Content } from "../ports/records.js"
import { wordsIn } from "../useCases/hits.js"
import type { Transaction } from "./MemoryDatabase.js"
import { isNewer } from "./pages.js"

const known = new WeakMap<Content, ReadonlyArray<string>>()

const sortedWords = (content: Content): ReadonlyArray<string> => {
  const words = known.get(content) ?? [...wordsIn(content.text)].sort()
  known.set(content, words)
  return words
}

/** Whether one of sorted words begins so: the first that does not come before it would. */
const holds = (words: ReadonlyArray<string>, beginning: string): boolean => {
  let from = 0
  let to = words.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((words[middle] ?? "") < beginning) from = middle + 1
    else to = middle
  }
  return words[from]?.startsWith(beginning) === true
}

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
      const content = db.contents.get(id)
      if (content === undefined) return []
      const words = sortedWords(content)
      return [{ id, held: beginnings.map((beginning) => holds(words, beginning)) }]
    })
  return { total: rows.length, ids: bestHolding(rows, limit).map(({ id }) => id) }
}
