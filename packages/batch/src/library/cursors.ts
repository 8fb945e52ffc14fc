/** Where pages go on. Such a cursor is good for one list with its filters, as that of a service is; there is nothing to keep secret. */
import { type CursorPosition, canonicalJson, makeCursor, openCursor } from "@earmark/core/requests"
import { Effect, Either } from "effect"
import { refusal } from "./LibraryRefused.js"

const KEY = Buffer.from("the library of this machine")

export const cursorsOf = (list: string, filters: unknown) => {
  const scope = { account: "", list: `${list} ${canonicalJson(filters)}`, order: "desc" } as const
  return {
    at: (position: CursorPosition): string => makeCursor(KEY, scope, position),
    open: (cursor: string | undefined) =>
      cursor === undefined
        ? Effect.succeed(null)
        : Either.match(openCursor(KEY, scope, cursor), {
            onLeft: (invalid) => Effect.fail(refusal(invalid)),
            onRight: (position) => Effect.succeed(position),
          }),
  }
}
