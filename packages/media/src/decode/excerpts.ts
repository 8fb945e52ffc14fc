import type { AudioWindow, Listening, VoiceActivity, WorkFailed } from "@earmark/service"
import { Effect, type Scope, Stream } from "effect"
import type { SoundSource } from "./SoundSource.js"
import { speechWindows } from "./speechWindows.js"

/** Never only the beginning: that is music, or a greeting in another language. One place for each half minute, up to three. */
const PLACES = [[0.5], [0.1, 0.9], [0.1, 0.5, 0.9]]
/** As much is searched for speech at each place, in milliseconds. */
const SEARCHED = 30_000
const LONGEST = 12_000
/** What is shorter says too little. */
const SHORTEST = 2_000

/** Where excerpts are searched for between two moments, in milliseconds. */
const placesIn = (from: number, to: number): ReadonlyArray<number> => {
  const count = Math.min(PLACES.length, Math.max(1, Math.floor((to - from) / SEARCHED)))
  const room = Math.max(0, to - from - SEARCHED)
  return (PLACES[count - 1] ?? []).map((share) => Math.round(from + share * room))
}

const lengthOf = ({ start, end }: AudioWindow): number => end - start

/**
 * Speech from a few places between two moments: the longest stretch of each. `soundFrom` decodes from a moment on, about so many seconds;
 * a place that cannot be decoded has no excerpt. What fits in one window has none: hearing that window is the whole vote.
 */
export const excerptsOf = (
  { from, to, shape }: { readonly from: number; readonly to: number; readonly shape: Listening["windows"] },
  voice: VoiceActivity["Type"],
  soundFrom: (moment: number, seconds: number) => Effect.Effect<SoundSource, WorkFailed, Scope.Scope>,
): Effect.Effect<ReadonlyArray<AudioWindow>> => {
  if (to - from <= shape.longest) return Effect.succeed([])
  const longest = Math.min(LONGEST, shape.longest)
  const excerptAt = Effect.fnUntraced(function* (moment: number) {
    const until = Math.min(SEARCHED, to - moment)
    const sound = yield* soundFrom(moment, Math.ceil(until / 1000))
    const { windows } = speechWindows(sound, yield* voice.open, {
      startAt: null,
      endAt: until,
      windows: { longest, joinUpTo: longest },
      language: null,
      maxSeconds: null,
    })
    const [best] = [...(yield* Stream.runCollect(windows))].sort(
      (left, right) => lengthOf(right) - lengthOf(left),
    )
    if (best === undefined || lengthOf(best) < SHORTEST) return []
    return [{ ...best, start: moment + best.start, end: moment + best.end }]
  }, Effect.scoped)
  return Effect.forEach(placesIn(from, to), (moment) =>
    excerptAt(moment).pipe(
      Effect.catchAll((failed) => Effect.as(Effect.logDebug("An excerpt cannot be had", failed), [])),
    ),
  ).pipe(Effect.map((found) => found.flat()))
}
