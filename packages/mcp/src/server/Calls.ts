import { TimeLimit } from "@earmark/service"
import { Deferred, Effect, FiberId } from "effect"

/** How long calls that are underway are waited for at the end, and then what they answer to be written. */
const PATIENCE = "3 seconds"
const UNTIL_WRITTEN = "100 millis"

/** The calls of tools that are underway, so that each is answered before their server ends. */
export interface Calls {
  /** Returns when the server is to stop. */
  readonly stopped: Effect.Effect<void>
  readonly add: <Answer>(call: Promise<Answer>) => Promise<Answer>
  /** Tells those that wait, and returns when all were answered, or after a few seconds. */
  readonly end: () => Promise<void>
}

export const makeCalls = (): Calls => {
  const stopped = Deferred.unsafeMake<void>(FiberId.none)
  const underway = new Set<Promise<unknown>>()
  const answered = TimeLimit.option(
    Effect.promise(() => Promise.allSettled(underway)),
    PATIENCE,
  )
  return {
    stopped: Deferred.await(stopped),
    add: (call) => {
      const over = () => underway.delete(call)
      underway.add(call)
      call.then(over, over)
      return call
    },
    end: () => {
      Deferred.unsafeDone(stopped, Effect.void)
      return underway.size === 0
        ? Promise.resolve()
        : Effect.runPromise(Effect.zipRight(answered, Effect.sleep(UNTIL_WRITTEN)))
    },
  }
}
