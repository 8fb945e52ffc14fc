// @effect-diagnostics strictEffectProvide:off -- part of a host of its own: this is the one place that composes it
import { decoding, readSettings } from "@earmark/runtime"
import { alignText, type GivenText, ObjectStoreMemory } from "@earmark/service"
import { Effect, Layer } from "effect"
import { failed, usage } from "../CommandFailed.js"
import { explainFailure } from "./explain.js"

export { givenTextOf } from "@earmark/service"

/** Finds the words of a text in a media file. */
export const align = Effect.fnUntraced(function* (path: string, given: GivenText) {
  const settings = yield* Effect.mapError(readSettings, ({ message }) => usage(message))
  return yield* alignText(path, given).pipe(
    Effect.scoped,
    Effect.catchTag("WorkFailed", (failure) => failed(`${path}: ${explainFailure(failure)}`)),
    Effect.provide(Layer.orDie(Layer.provideMerge(decoding(settings), ObjectStoreMemory.layer))),
  )
})
