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

/** The same, with the id of the transcription that the command line names. */
export const entryOf = Effect.fnUntraced(function* (
  given: Parameters<typeof libraryOf>[0] & { readonly id: string },
) {
  const library = yield* libraryOf(given)
  return { library, id: yield* library.idOf(given.id) }
})
