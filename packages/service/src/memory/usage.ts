import type { AccountId } from "@earmark/core/jobs"
import { DateTime } from "effect"
import type { Usage } from "../ports/JobStore.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { UsageRow } from "./rows.js"

interface Range {
  readonly from: number
  readonly to: number
  readonly groupBy: "day" | "month" | "key"
}

const groupOf = ({ at, key }: UsageRow, groupBy: Range["groupBy"]): string => {
  if (groupBy === "key") return key ?? "none"
  const day = DateTime.formatIsoDateUtc(DateTime.unsafeMake(at))
  return groupBy === "day" ? day : day.slice(0, 7)
}

export const usageOf = (
  db: Transaction,
  account: AccountId,
  { from, to, groupBy }: Range,
): ReadonlyArray<Usage> => {
  const groups = new Map<string, Usage>()
  for (const row of db.usage.filter(({ at, account: owner }) => owner === account && at >= from && at < to)) {
    const group = groupOf(row, groupBy)
    const { transcriptions = 0, minutes = 0, credits = 0 } = groups.get(group) ?? {}
    groups.set(group, {
      group,
      transcriptions: transcriptions + 1,
      minutes: minutes + row.minutes,
      credits: credits + row.credits,
    })
  }
  return [...groups.values()].sort((left, right) => (left.group < right.group ? -1 : 1))
}
