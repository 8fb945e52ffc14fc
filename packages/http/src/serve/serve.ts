/** The whole server of some settings: everything between its store and its clients. */
import { Runtime, type Settings, shownSettings } from "@earmark/runtime"
import { Effect, Fiber, Layer } from "effect"
import { checkAddress, type ListenFailed } from "../server/listen.js"
import type { Serving } from "./front.js"

/** Where this process will listen; null where it opens no port. */
const addressOf = ({ role, host, port, workerPort }: Settings) => {
  if (role !== "worker") return { host, port }
  return workerPort === null ? null : { host, port: workerPort }
}

/** Why a server does not start. */
export type ServeFailure = Effect.Effect.Error<ReturnType<typeof Runtime.run<ListenFailed>>>

/** Serves in the role of the settings until it is interrupted, then lets go of everything in order. */
export const serve: (settings: Settings, serving: Serving) => Effect.Effect<never, ServeFailure> =
  Effect.fnUntraced(function* (settings, serving) {
    const shown = yield* shownSettings(settings)
    const address = addressOf(settings)
    // Looked at first: a store would be made that nobody is served from.
    if (address !== null) yield* checkAddress(address)
    // The database starts meanwhile.
    const loading = yield* Effect.fork(Effect.promise(() => import("./front.js")))
    const front = Effect.map(Fiber.join(loading), (loaded) => loaded.front(settings, shown, serving))
    const started = Layer.effectDiscard(serving.onStarted ?? Effect.void)
    return yield* Runtime.run(settings, serving, Layer.provideMerge(started, Layer.unwrapEffect(front)))
  })
