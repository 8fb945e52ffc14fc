import type { AccountId } from "@earmark/core/jobs"
import { type CursorPosition, canonicalJson, makeCursor, openCursor } from "@earmark/core/requests"
import type { Order } from "@earmark/core/wire"
import { DateTime, Effect, Redacted } from "effect"
import type { Page, PageRequest, TimeSpan } from "../ports/JobStore.js"
import { Secrets } from "./Secrets.js"

/** A page as every list of the wire has it. */
export interface Listed<Item> {
  readonly data: ReadonlyArray<Item>
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

interface Paging {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A span of time of a query, as stores take it. */
export const spanOf = (query: {
  readonly from?: DateTime.Utc | undefined
  readonly to?: DateTime.Utc | undefined
}): TimeSpan => ({
  ...(query.from !== undefined && { from: DateTime.toEpochMillis(query.from) }),
  ...(query.to !== undefined && { to: DateTime.toEpochMillis(query.to) }),
})

/** Cursors of one list of an account. What else the list is filtered by belongs to its name. */
export const makeCursors = Effect.map(Secrets, (secrets) => {
  const scopeOf = (account: AccountId, list: string, filters: unknown, order: Order) => ({
    account,
    list: `${list} ${canonicalJson(filters)}`,
    order,
  })
  const key = () => Redacted.value(secrets.keys).cursors

  return (account: AccountId, list: string, filters: unknown = {}, order: Order = "desc") => {
    const scope = scopeOf(account, list, filters, order)
    const make = (position: CursorPosition) => makeCursor(key(), scope, position)
    const open = (cursor: string | undefined) =>
      cursor === undefined ? Effect.succeed(null) : openCursor(key(), scope, cursor)
    return {
      /** The page that is asked for, as stores take it. */
      page: Effect.fnUntraced(function* ({ limit, cursor }: Paging) {
        const [createdAt, id] = (yield* open(cursor)) ?? []
        const isPlace = typeof createdAt === "number" && typeof id === "string"
        return { limit, after: isPlace ? { createdAt, id } : null, order } satisfies PageRequest
      }),
      /** How many items of a list that is not stored come before the page. */
      offset: Effect.fnUntraced(function* (paging: Pick<Paging, "cursor">) {
        const [offset] = (yield* open(paging.cursor)) ?? []
        return typeof offset === "number" ? offset : 0
      }),
      /** What a cursor of another form holds; null for the first page. */
      open: (paging: Pick<Paging, "cursor">) => open(paging.cursor),
      at: make,
      atOffset: (offset: number): string => make([offset]),
      listed: <Stored, Item>(page: Page<Stored>, show: (stored: Stored) => Item): Listed<Item> => ({
        data: page.items.map(show),
        hasMore: page.next !== null,
        nextCursor: page.next === null ? null : make([page.next.createdAt, page.next.id]),
      }),
    }
  }
})
