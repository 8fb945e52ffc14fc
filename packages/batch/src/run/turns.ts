/** Lets several sources be planned at once, with the same names, sums and order as one after the other. */
import { Deferred, Effect, FiberId } from "effect"

const makeOrder = (count: number) => {
  const ends = Array.from({ length: count + 1 }, () => Deferred.unsafeMake<void>(FiberId.none))
  const at = (number: number, use: (end: Deferred.Deferred<void>) => Effect.Effect<unknown>) => {
    const end = ends[number]
    return end === undefined ? Effect.void : Effect.asVoid(use(end))
  }
  return {
    /** Waits until the source before this one is over. */
    begin: (number: number) => (number === 1 ? Effect.void : at(number - 1, Deferred.await)),
    end: (number: number) => at(number, (end) => Deferred.succeed(end, undefined)),
  }
}

/** Sources have numbers from 1 on. First each chooses the names of its results, then it is counted and told. */
export const makeTurns = (count: number) => ({ names: makeOrder(count), counts: makeOrder(count) })

export type Turns = ReturnType<typeof makeTurns>
