import { Cause, Effect } from "effect"

/** Waits for work of another bundle. An interrupted command tells it to stop, and waits until it has let go of everything. */
export const waitFor = <Answer>(work: (signal: AbortSignal) => Promise<Answer>): Effect.Effect<Answer> =>
  Effect.async<Answer>((resume, signal) => {
    const done = work(signal).then(
      (answer) => resume(Effect.succeed(answer)),
      (error: unknown) => resume(Effect.failCause(Cause.die(error))),
    )
    return Effect.promise(() => done)
  })
