// @effect-diagnostics strictEffectProvide:off -- engines are made when a source first needs them, and anew when models have come
/** Who hears, for the language of a source. */
import type { Transcriber, Transcribers } from "@earmark/batch"
import { hearing, type Settings } from "@earmark/runtime"
import { makeTranscribeAlone, type ObjectStore, SourceResolver } from "@earmark/service"
import { Effect, Layer } from "effect"

/** Makes who hears when it is first needed: which engine it is depends on the language, and on the models that are there by then. */
export const makeStaff = Effect.fnUntraced(function* (settings: Settings) {
  const scope = yield* Effect.scope
  const around = yield* Effect.context<ObjectStore>()
  const turn = yield* Effect.makeSemaphore(1)
  const known = new Map<string | null, Transcriber>()
  let generation = 0

  const make = Effect.fnUntraced(function* (language: string | null) {
    const context = yield* Layer.buildWithScope(hearing(settings, language), scope).pipe(
      Effect.provide(around),
      Effect.catchAll((error) => (error._tag === "WorkFailed" ? Effect.fail(error) : Effect.die(error))),
    )
    const born = generation
    const { alone, resolver } = yield* Effect.provide(
      Effect.all({ alone: makeTranscribeAlone, resolver: SourceResolver }),
      context,
    )
    return { alone, resolver, isCurrent: () => born === generation }
  })

  const forLanguage = (language: string | null) =>
    turn.withPermits(1)(
      Effect.gen(function* () {
        const there = known.get(language)
        if (there !== undefined) return there
        const staff = yield* make(language)
        known.set(language, staff)
        return staff
      }),
    )

  /** Models have come: whoever hears from now on uses them. */
  const renew = turn.withPermits(1)(
    Effect.sync(() => {
      generation += 1
      known.clear()
    }),
  )

  const transcribers: Transcribers = { forLanguage, renew }
  return transcribers
})
