import type { Page, PageRequest, Position, TimeSpan } from "../ports/JobStore.js"

interface Placed {
  readonly id: string
  readonly createdAt: number
}

const compareTexts = (left: string, right: string): number => {
  if (left === right) return 0
  return left < right ? -1 : 1
}

const compare = (left: Placed, right: Placed): number =>
  left.createdAt - right.createdAt || compareTexts(left.id, right.id)

/** Whether a row comes before a place where the newest come first. */
export const isNewer = (row: Placed, place: Position): boolean => compare(row, place) > 0

/** Whether a row is of a span of time. */
export const isWithin = (
  { createdAt }: Pick<Placed, "createdAt">,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TimeSpan,
): boolean => createdAt >= from && createdAt < to

/** A page of rows by time and id. */
export const pageOf = <Row extends Placed>(
  rows: ReadonlyArray<Row>,
  { limit, after, order }: PageRequest,
): Page<Row> => {
  const sign = order === "asc" ? 1 : -1
  const rest = rows
    .filter((row) => after === null || sign * compare(row, after) > 0)
    .sort((left, right) => sign * compare(left, right))
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rest.length > items.length && last !== undefined
  return { items, next: hasMore ? { createdAt: last.createdAt, id: last.id } : null }
}

export const mapPage = <From, To>({ items, next }: Page<From>, to: (item: From) => To): Page<To> => ({
  items: items.map(to),
  next,
})
