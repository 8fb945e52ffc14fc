import type { AudioWindow, WorkFailed } from "@earmark/service"
import { Deferred, Effect, type Exit } from "effect"
import type { Heard } from "../heard.js"

/** Hears several windows in one go: an end for each, in their order. */
export type HearBatch<Key> = (
  windows: ReadonlyArray<AudioWindow>,
  key: Key,
) => Effect.Effect<ReadonlyArray<Exit.Exit<Heard, WorkFailed>>>

interface Request<Key> {
  readonly window: AudioWindow
  readonly name: string
  readonly key: Key
  /** How it ended; null when it has to be heard again, for the batch was given up. */
  readonly answer: Deferred.Deferred<Exit.Exit<Heard, WorkFailed> | null>
}

/**
 * Puts windows that wait together into one run of a program that is slow to start, at most `most` of one `name`, and
 * `places` runs at once. Whoever gets a place runs the batch for the others; when it is interrupted the others go on without it.
 */
export const makeBatches = <Key>(places: number, most: number, hearBatch: HearBatch<Key>) =>
  Effect.gen(function* () {
    const free = yield* Effect.makeSemaphore(places)
    const pending: Array<Request<Key>> = []

    const takeWith = (own: Request<Key>): ReadonlyArray<Request<Key>> => {
      const fitting = pending.filter((request) => request !== own && request.name === own.name)
      const batch = [own, ...fitting.slice(0, most - 1)]
      for (const request of batch) pending.splice(pending.indexOf(request), 1)
      return batch
    }

    const answerAll = (
      batch: ReadonlyArray<Request<Key>>,
      exits: ReadonlyArray<Exit.Exit<Heard, WorkFailed>> | null,
    ) =>
      Effect.sync(() => {
        batch.forEach(({ answer }, at) => {
          Deferred.unsafeDone(answer, Effect.succeed(exits?.[at] ?? null))
        })
      })

    const lead = (own: Request<Key>) =>
      Effect.suspend(() => {
        // Somebody else has taken it along.
        if (!pending.includes(own)) return Effect.void
        const batch = takeWith(own)
        const windows = batch.map(({ window }) => window)
        return hearBatch(windows, own.key).pipe(
          Effect.flatMap((exits) => answerAll(batch, exits)),
          Effect.onInterrupt(() => answerAll(batch, null)),
        )
      })

    const hear = (window: AudioWindow, name: string, key: Key): Effect.Effect<Heard, WorkFailed> =>
      Effect.gen(function* () {
        const own: Request<Key> = {
          window,
          name,
          key,
          answer: yield* Deferred.make<Exit.Exit<Heard, WorkFailed> | null>(),
        }
        pending.push(own)
        const answered = Deferred.await(own.answer)
        const exit = yield* Effect.raceFirst(
          answered,
          Effect.zipRight(free.withPermits(1)(lead(own)), answered),
        ).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              const at = pending.indexOf(own)
              if (at >= 0) pending.splice(at, 1)
            }),
          ),
        )
        return yield* exit ?? hear(window, name, key)
      })

    return { hear }
  })
