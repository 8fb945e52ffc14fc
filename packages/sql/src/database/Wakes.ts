import { Context, type Effect, type Stream } from "effect"

export const WORKS = ["jobs", "deliveries", "extras"] as const
export type Work = (typeof WORKS)[number]

/** Tells those who wait for work that there may be some: in this process at once, in others soon after. */
export class Wakes extends Context.Tag("@earmark/sql/Wakes")<
  Wakes,
  {
    /** Called after a commit, never inside a transaction. */
    readonly wake: (work: Work) => Effect.Effect<void>
    /** Every hint, and one each second whether or not there was any. */
    readonly wakeUps: (work: Work) => Stream.Stream<void>
  }
>() {}
