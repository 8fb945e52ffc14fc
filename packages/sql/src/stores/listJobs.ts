import type { AccountId } from "@earmark/core/jobs"
import type { JobFilter } from "@earmark/service"
import { json } from "../database/json.js"
import { PLAN_EACH_TIME } from "../database/statements.js"
import { timeText } from "../database/values.js"
import { LISTED_COLUMNS } from "./jobRows.js"
import { directionOf } from "./pages.js"

/** How many rows a page may look at when no index knows its filter. The page is short then, and has a next one. */
const MOST_SCANNED = 10_000

class Conditions {
  readonly values: Array<unknown> = []
  readonly all: Array<string> = []

  value(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
  add(condition: (place: string) => string, value: unknown): void {
    this.all.push(condition(this.value(value)))
  }
  get text(): string {
    return this.all.length === 0 ? "true" : this.all.join(" AND ")
  }
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** What a text in a query stands for: itself, and the number or the truth value that is written so. */
const valuesOf = (text: string): ReadonlyArray<unknown> => {
  if (text === "true" || text === "false") return [text, text === "true"]
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? [text, number] : [text]
}

const addMetadata = (conditions: Conditions, name: string, text: string): void => {
  const fits = valuesOf(text).map(
    (value) => `metadata @> ${conditions.value(json({ [name]: value }))}::jsonb`,
  )
  conditions.all.push(`(${fits.join(" OR ")})`)
}

/** The statement of a page: rows by time and id, and how to find where a bounded scan ended. */
export const listStatement = (account: AccountId, filter: JobFilter) => {
  const { beyond, sorted } = directionOf(filter.order)
  const indexed = new Conditions()
  indexed.add((place) => `account_id = ${place}`, account)
  const { status, phase, language, batch, feed, createdAfter, createdBefore, q, metadata, after } = filter
  if (status !== undefined) indexed.add((place) => `status = ${place}`, status)
  if (feed !== undefined) indexed.add((place) => `feed_url = ${place}`, feed)
  if (createdAfter !== undefined) indexed.add((place) => `created_at > ${place}`, timeText(createdAfter))
  if (createdBefore !== undefined) indexed.add((place) => `created_at < ${place}`, timeText(createdBefore))
  if (after !== null) {
    const time = indexed.value(timeText(after.createdAt))
    indexed.add((place) => `(created_at, id) ${beyond} (${time}, ${place})`, after.id)
  }
  if (batch !== undefined) indexed.add((place) => `batch_id = ${place}`, batch)

  const values = indexed.values
  const rest = new Conditions()
  rest.values.push(...values)
  if (phase !== undefined) rest.add((place) => `phase = ${place}`, phase)
  if (language !== undefined) rest.add((place) => `language = ${place}`, language)
  if (q !== undefined) rest.add((place) => `title_folded LIKE ${place}`, `%${escapeLike(q.toLowerCase())}%`)
  for (const [name, value] of Object.entries(metadata ?? {})) addMetadata(rest, name, value)

  // A plan for any account would be one for a small account: all of its rows, sorted.
  const scanned = (columns: string) =>
    `${PLAN_EACH_TIME} SELECT ${columns} FROM job WHERE ${indexed.text} ${sorted}`
  const limit = filter.limit + 1
  const page =
    rest.all.length === 0
      ? `${scanned(LISTED_COLUMNS)} LIMIT ${limit}`
      : `${PLAN_EACH_TIME} SELECT ${LISTED_COLUMNS} FROM (${scanned("*")} LIMIT ${MOST_SCANNED}) job WHERE ${rest.text} ${sorted} LIMIT ${limit}`
  return {
    page: { text: page, values: rest.values },
    /** The last row that a full scan looked at; null when every row of the scan is on the page. */
    end:
      rest.all.length === 0
        ? null
        : {
            text: `${PLAN_EACH_TIME} SELECT id, created_at FROM job WHERE ${indexed.text} ${sorted} OFFSET ${MOST_SCANNED - 1} LIMIT 1`,
            values,
          },
  }
}
