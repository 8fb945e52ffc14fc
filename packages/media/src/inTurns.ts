import { Clock, Effect } from "effect"

/** Lets everything else that waits have its turn: timers, sockets, other requests. */
export const breathe: Effect.Effect<void> = Effect.async((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** Work may hold the only thread this long before everything else gets its turn. */
const TURN_MILLISECONDS = 10

/** The result of work that can be interrupted where it yields. */
export const inTurns = Effect.fnUntraced(function* <Result>(work: Generator<void, Result>) {
  let started = yield* Clock.currentTimeMillis
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    const now = yield* Clock.currentTimeMillis
    if (now - started < TURN_MILLISECONDS) continue
    yield* breathe
    started = yield* Clock.currentTimeMillis
  }
})
