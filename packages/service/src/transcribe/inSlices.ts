import type { Steps } from "@earmark/core/speakers"
import { Effect } from "effect"

/** Other work gets its turn this often. */
const SLICE_MILLISECONDS = 10

/** All of a long piece of work, a few milliseconds at a time. `attempt` runs each part of it. */
export const inSlices = <A, E = never>(
  steps: Steps<A>,
  attempt: <B>(what: () => B) => Effect.Effect<B, E> = Effect.sync,
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const slice = attempt(() => {
      const from = performance.now()
      let step = steps.next()
      while (step.done !== true && performance.now() - from < SLICE_MILLISECONDS) step = steps.next()
      return step
    })
    for (let step = yield* slice; ; step = yield* slice) {
      if (step.done === true) return step.value
      // A macrotask, so that sockets and timers come in between.
      yield* Effect.sleep(0)
    }
  })
