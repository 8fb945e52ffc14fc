import type { AccountId, JobId } from "@earmark/core/jobs"
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

/** Of each job its account has: which of the beginnings its words have. */
export const holdingJobs = (
  db: Transaction,
  account: AccountId,
  { beginnings, batch, limit }: HoldingFilter,
): Holding => {
  const rows = db.jobs
    .filter((job) => job.account === account && (batch === undefined || job.batch === batch))
    .flatMap((job) => {
      const content = db.contents.get(job.id)
      if (content === undefined) return []
      const words = sortedWords(content)
      const { id, createdAt } = job
      return [{ id, createdAt, held: beginnings.map((beginning) => holds(words, beginning)) }]
    })
  const weights = beginnings.map((_, at) => {
    const count = rows.reduce((sum, { held }) => sum + (held[at] === true ? 1 : 0), 0)
    return count === 0 ? 0 : Math.log(1 + rows.length / count)
  })
  const weighed = rows.flatMap(
    ({ held, ...row }): ReadonlyArray<{ id: JobId; createdAt: number; weight: number }> => {
      const weight = held.reduce((sum, isHeld, at) => sum + (isHeld ? (weights[at] ?? 0) : 0), 0)
      return weight === 0 ? [] : [{ ...row, weight }]
    },
  )
  const best = weighed.sort((a, b) => b.weight - a.weight || (isNewer(a, b) ? -1 : 1)).slice(0, limit)
  return { total: rows.length, ids: best.map(({ id }) => id) }
}
