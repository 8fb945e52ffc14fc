import { Effect } from "effect"

/** ` Did you mean x?`, or nothing. */
export const didYouMean = Effect.fn("didYouMean")(function* (given: string, known: ReadonlyArray<string>) {
  const { nearestName } = yield* Effect.promise(() => import("@earmark/core/text"))
  const name = nearestName(given, known)
  return name === undefined ? "" : ` Did you mean ${name}?`
})
