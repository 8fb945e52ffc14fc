import type { Page, Position } from "@earmark/service"
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

/** `(created_at, id)` after which a page in descending order begins, as two values. */
export const placeValues = (after: Position | null): readonly [string | null, string | null] => [
  after === null ? null : timeText(after.createdAt),
  after?.id ?? null,
]
