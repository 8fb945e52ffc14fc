/** Earmark for applications without Effect: promises, the shapes of the REST interface, and the same typed errors. */
import { Cause, Deferred, Effect, Exit, Layer, ManagedRuntime, Stream } from "effect"
import { type EarmarkOptions, earmarkLayer, refuseUnknown } from "./earmarkLayer.js"
import { makeOperations } from "./operations.js"
import { accountOfKey, accounts, grant } from "./promise/accounts.js"
import { callsOf } from "./promise/calls.js"
import type { Door } from "./promise/door.js"
import { EarmarkClosed } from "./promise/EarmarkClosed.js"
import { filesAndEvents } from "./promise/transcriptions.js"
import { addMedia, transcribeFile } from "./promise/uploads.js"

/**
 * The whole service in this process. Methods take and give what the REST interface takes and gives, and reject with the
 * errors of the use cases themselves: test `error._tag`, or use `instanceof`.
 */
export const makeEarmark = async <E1, E2>(options: EarmarkOptions<E1, E2>) => {
  for (const name of ["store", "surroundings"] as const) {
    if (!Layer.isLayer(options[name])) throw new TypeError(`makeEarmark needs \`${name}\`, a layer`)
  }
  refuseUnknown(options)
  const runtime = ManagedRuntime.make(earmarkLayer(options))

  type Provided = ManagedRuntime.ManagedRuntime.Context<typeof runtime>

  let isClosed = false
  const run = async <A, E>(effect: Effect.Effect<A, E, Provided>): Promise<A> => {
    if (isClosed) throw new EarmarkClosed()
    const exit = await runtime.runPromiseExit(effect)
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }

  // A layer that cannot be built is told here, not at the first request.
  const context = await run(Effect.runtime<Provided>())
  const operations = await run(makeOperations)
  const closing = await run(Deferred.make<never, EarmarkClosed>())

  const door: Door = {
    run,
    runLong: (effect) => run(Effect.raceFirst(effect, Deferred.await(closing))),
    iterate: (stream) =>
      Stream.toAsyncIterableRuntime(Stream.interruptWhenDeferred(stream, closing), context),
  }

  return {
    accounts: accounts(door),
    transcriptions: { ...callsOf(door, operations, "transcriptions"), ...filesAndEvents(door) },
    transcribeFile: transcribeFile(door),
    uploads: { ...callsOf(door, operations, "uploads"), add: addMedia(door) },
    podcasts: callsOf(door, operations, "podcasts"),
    credits: { ...callsOf(door, operations, "credits"), grant: grant(door) },
    keys: { ...callsOf(door, operations, "keys"), accountOf: accountOfKey(door) },
    grants: callsOf(door, operations, "grants"),
    account: callsOf(door, operations, "account"),
    webhooks: callsOf(door, operations, "webhooks"),

    /** Stops claiming, lets running jobs come to their next checkpoint, hands the rest back, and closes the store. */
    close: () => {
      isClosed = true
      Deferred.unsafeDone(closing, new EarmarkClosed())
      return runtime.dispose()
    },
  }
}
