import { Effect, Queue, Stream } from "effect"
import type { Connection } from "./connect.js"

/** Listens to channels, on a connection of its own: one that listens can do nothing else. */
export const makeEars = ({ client }: Connection) =>
  Effect.gen(function* () {
    const heard = yield* Queue.sliding<{ readonly channel: string; readonly text: string }>(10_000)
    const channels = new Set<string>()
    const listening = yield* Effect.acquireRelease(
      Effect.sync(() => client.duplicate()),
      (connection) => Effect.sync(() => connection.disconnect()),
    )

    const subscribe = (...wanted: ReadonlyArray<string>) =>
      Effect.ignore(
        Effect.tryPromise(() =>
          wanted.length > 0 && listening.status === "ready"
            ? listening.subscribe(...wanted)
            : Promise.resolve(),
        ),
      )

    const ready = yield* Queue.sliding<void>(1)
    listening.on("error", () => {})
    listening.on("ready", () => ready.unsafeOffer(undefined))
    listening.on("message", (channel: string, text: string) => heard.unsafeOffer({ channel, text }))
    // After each time that the server was away, from the first on.
    yield* Queue.take(ready).pipe(
      Effect.zipRight(Effect.suspend(() => subscribe(...channels))),
      Effect.forever,
      Effect.forkScoped,
    )

    return {
      open: (channel: string) =>
        Effect.suspend(() => {
          channels.add(channel)
          return subscribe(channel)
        }),
      close: (channel: string) =>
        Effect.suspend(() => {
          channels.delete(channel)
          return Effect.ignore(Effect.tryPromise(() => listening.unsubscribe(channel)))
        }),
      messages: Stream.fromQueue(heard),
    }
  })

export type Ears = Effect.Effect.Success<ReturnType<typeof makeEars>>
