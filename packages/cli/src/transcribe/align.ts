// @effect-diagnostics strictEffectProvide:off -- part of a host of its own: this is the one place that composes it
import { decoding, readSettings } from "@earmark/runtime"
import { type AlignedText, alignText, type GivenText, ObjectStoreMemory } from "@earmark/service"
import { Effect, Either, Layer } from "effect"
import { explainFailure } from "./explain.js"

export { givenTextOf } from "@earmark/service"

/** What came of it, or what is wrong. */
export type Alignment =
  | { readonly type: "aligned"; readonly text: AlignedText }
  | { readonly type: "failed"; readonly exitCode: 1 | 2; readonly message: string }

const failed = (exitCode: 1 | 2, message: string): Alignment => ({ type: "failed", exitCode, message })

const program = Effect.fnUntraced(function* (path: string, given: GivenText) {
  const settings = yield* Effect.either(readSettings)
  if (Either.isLeft(settings)) return failed(2, settings.left.message)
  return yield* alignText(path, given).pipe(
    Effect.scoped,
    Effect.map((text): Alignment => ({ type: "aligned", text })),
    Effect.catchTag("WorkFailed", (failure) =>
      Effect.succeed(failed(1, `${path}: ${explainFailure(failure)}`)),
    ),
    Effect.provide(Layer.provideMerge(decoding(settings.right), ObjectStoreMemory.layer)),
  )
})

/** Finds the words of a text in a media file. Stopped by the signal, it leaves nothing running. */
export const align = (path: string, given: GivenText, signal: AbortSignal): Promise<Alignment> =>
  Effect.runPromise(program(path, given), { signal })
