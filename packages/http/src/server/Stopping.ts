import { Context, Deferred, Effect, Layer } from "effect"

/** The end of the process, as requests that wait for something see it come. */
export class Stopping extends Context.Tag("@earmark/http/Stopping")<
  Stopping,
  {
    /** Returns when the server is to stop. */
    readonly awaited: Effect.Effect<void>
    readonly begin: Effect.Effect<void>
    readonly hasBegun: Effect.Effect<boolean>
  }
>() {
  static readonly layer = Layer.effect(
    Stopping,
    Effect.map(Deferred.make<void>(), (stopped) => ({
      awaited: Deferred.await(stopped),
      begin: Effect.asVoid(Deferred.succeed(stopped, undefined)),
      hasBegun: Deferred.isDone(stopped),
    })),
  )
}
