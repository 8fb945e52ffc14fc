import type { Page, PageRequest, Position, TimeSpan } from "@earmark/service"
import { timeText } from "../database/values.js"

interface Placed {
  readonly id: string
  readonly createdAt: number
}

/** The page in rows of which one more than asked for was read. */
export const pageOf = <Item extends Placed>(items: ReadonlyArray<Item>, limit: number): Page<Item> => {
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = items.length > shown.length && last !== undefined
  return { items: shown, next: hasMore ? { createdAt: last.createdAt, id: last.id } : null }
}

/** Time and id of a place in a list, as two values. */
export const placeValues = (place: Position | null): readonly [string | null, string | null] => [
  place === null ? null : timeText(place.createdAt),
  place?.id ?? null,
]

/** How rows by time and id are sorted, and where the rest of them lies from one of them on. */
export const directionOf = (order: PageRequest["order"]) =>
  order === "asc"
    ? ({ beyond: ">", sorted: "ORDER BY created_at, id" } as const)
    : ({ beyond: "<", sorted: "ORDER BY created_at DESC, id DESC" } as const)

/** What makes a statement read one page, and a row more: a condition, how its rows end, and the values of both, from `$first` on. */
export const pageSql = ({ limit, after, order }: PageRequest, first: number) => {
  const { beyond, sorted } = directionOf(order)
  const [time, id, most] = [`$${first}`, `$${first + 1}`, `$${first + 2}`]
  return {
    rest: `(${time}::timestamptz IS NULL OR (created_at, id) ${beyond} (${time}, ${id}))`,
    sorted: `${sorted} LIMIT ${most}`,
    values: [...placeValues(after), limit + 1],
  }
}

/** What makes a statement read rows of a span of time alone: a condition, and its values, from `$first` on. */
export const spanSql = ({ from, to }: TimeSpan, first: number) => {
  const [start, end] = [`$${first}`, `$${first + 1}`]
  return {
    within: `(${start}::timestamptz IS NULL OR created_at >= ${start}) AND (${end}::timestamptz IS NULL OR created_at < ${end})`,
    bounds: [from, to].map((moment) => (moment === undefined ? null : timeText(moment))),
  }
}
