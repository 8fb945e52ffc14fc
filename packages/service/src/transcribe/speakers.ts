import type { SpeakerRange } from "@earmark/core/jobs"
import { Cause, Effect, type Scope } from "effect"
import type { AudioWindow, Diarizer, SpeakerListener, SpeakerTurn, WorkFailed } from "../ports/Speech.js"
import { partsBetweenPauses } from "./windowParts.js"

/** Hears windows and never fails: null in place of turns that could not be found out. */
export interface Ear {
  readonly hear: (window: AudioWindow) => Effect.Effect<void>
  readonly turns: Effect.Effect<ReadonlyArray<SpeakerTurn> | null>
}

/** Null in place of a failure: a transcript without speakers is better than none. */
const forgiving = <A, R>(effect: Effect.Effect<A, WorkFailed, R>): Effect.Effect<A | null, never, R> =>
  Effect.catchAllCause(effect, (cause) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.interrupt
      : Effect.as(Effect.logWarning("The speakers could not be told apart", cause), null),
  )

/** Listens for who speaks. From the first failure on nothing more is heard, and the turns are null. */
export const openEar = Effect.fnUntraced(function* (
  diarizer: Diarizer["Type"],
  range: SpeakerRange | null,
): Effect.fn.Return<Ear, never, Scope.Scope> {
  let listener: SpeakerListener | null = yield* forgiving(diarizer.open(range))
  const hearPart = (window: AudioWindow) =>
    Effect.suspend(() => {
      if (listener === null) return Effect.void
      return Effect.map(forgiving(Effect.as(listener.hear(window), true)), (heard) => {
        if (heard === null) listener = null
      })
    })
  const hear = (window: AudioWindow) =>
    Effect.forEach(partsBetweenPauses(window), hearPart, { discard: true })
  const turns = Effect.suspend(() => (listener === null ? Effect.succeed(null) : forgiving(listener.turns)))
  return { hear, turns }
})
