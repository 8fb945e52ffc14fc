import { Effect, PubSub, Schedule, Stream } from "effect"
import type { Wakes, Work } from "./Wakes.js"

const poll = Schedule.spaced("1 second").pipe(Schedule.jittered)

/** Hints within this process, and a poll behind them. `elsewhere` tells other processes. */
export const makeWakes = (elsewhere: (work: Work) => Effect.Effect<void> = () => Effect.void) =>
  Effect.gen(function* () {
    const hints = {
      jobs: yield* PubSub.sliding<void>(1),
      deliveries: yield* PubSub.sliding<void>(1),
      extras: yield* PubSub.sliding<void>(1),
    }
    /** Tells those who wait in this process. */
    const here = (work: Work) => Effect.asVoid(PubSub.publish(hints[work], undefined))
    const wakes: Wakes["Type"] = {
      wake: (work) => Effect.zipRight(here(work), elsewhere(work)),
      wakeUps: (work) => Stream.merge(Stream.fromPubSub(hints[work]), Stream.void.pipe(Stream.repeat(poll))),
    }
    return { wakes, here }
  })
