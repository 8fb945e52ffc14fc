import { type Duration, Effect, Queue } from "effect"
import type { Pool } from "pg"
import type { Work } from "../database/Wakes.js"

export const CHANNEL = "earmark"

/**
 * Tells other processes that there may be work: from a connection of its own, never inside a transaction that writes (that would make
 * commits wait for each other), and each kind at most once per `pause`.
 */
export const makeNotifier = (side: Pool, pause: Duration.DurationInput) =>
  Effect.gen(function* () {
    const waiting = new Set<Work>()
    const signal = yield* Queue.sliding<void>(1)

    const send = Effect.promise(() => {
      const works = [...waiting]
      waiting.clear()
      // A hint that is lost is made up for by the poll.
      return Promise.allSettled(works.map((work) => side.query("SELECT pg_notify($1, $2)", [CHANNEL, work])))
    })
    yield* Queue.take(signal).pipe(
      Effect.zipRight(send),
      Effect.zipRight(Effect.sleep(pause)),
      Effect.forever,
      Effect.forkScoped,
    )

    return (work: Work) =>
      Effect.suspend(() => {
        waiting.add(work)
        return Effect.asVoid(Queue.offer(signal, undefined))
      })
  })
