import { Effect } from "effect"
import { namedTarget, type Where } from "../remote/target.js"

const loadLocal = Effect.promise(() => import("./localLibrary.js"))
const loadService = Effect.promise(() => import("./serviceLibrary.js"))

/** The library that a command line means: that of the service it names, else that of this machine. */
export const libraryOf = Effect.fnUntraced(function* (given: Where & { readonly local: boolean }) {
  const target = yield* namedTarget(given)
  if (target !== null) return (yield* loadService).serviceLibrary(target)
  return yield* (yield* loadLocal).localLibrary
})
