/** What `pg` does not publish about a connection. Its version is pinned; tests fail when these fields change. */
import type { ClientBase } from "pg"

const is = (client: object, field: string): boolean => Reflect.get(client, field) === true

export const isOpen = (client: object): boolean => is(client, "_queryable") && !is(client, "_ending")

/** Nothing is under way. A connection that has run nothing yet never says so. */
export const isAtRest = (client: object): boolean =>
  is(client, "readyForQuery") || !is(client, "hasExecuted") || !isOpen(client)

/** Ends a connection at once, also while it runs something. */
export const close = (client: object): void => {
  const end: unknown = Reflect.get(client, "end")
  if (typeof end === "function") Reflect.apply(end, client, [() => undefined])
}

const ENDS = ["drain", "end", "error"] as const

/** Resolves when nothing is under way any more. */
export const atRest = (client: ClientBase): Promise<void> =>
  new Promise((resolve) => {
    if (isAtRest(client)) return resolve()
    const done = () => {
      for (const end of ENDS) client.removeListener(end, done)
      resolve()
    }
    for (const end of ENDS) client.on(end, done)
  })
