import { Effect, Fiber, type Scope } from "effect"
import type { BackendRefused } from "../BackendRefused.js"
import type { TranscriptionBackend } from "../TranscriptionBackend.js"

type Backend = TranscriptionBackend["Type"]

/**
 * A backend that is made when it is first used: a server can say what it offers before what does the work is there. It is made in a
 * fiber of the scope: a call that is given up does not give up the backend, and a call that may not be interrupted does not make
 * loops that cannot be.
 */
export const deferredBackend = (
  baseUrl: string,
  made: Effect.Effect<Backend, BackendRefused>,
): Effect.Effect<Backend, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const making = yield* Effect.cached(
      Effect.uninterruptible(Effect.forkIn(Effect.interruptible(made), scope)),
    )
    const backend = Effect.flatMap(making, Fiber.join)
    const use = <Value, E>(run: (backend: Backend) => Effect.Effect<Value, E>) => Effect.flatMap(backend, run)
    return {
      baseUrl,
      ask: (id, request, once) => use(({ ask }) => ask(id, request, once)),
      get: (id, wait) => use(({ get }) => get(id, wait)),
      export: (id, request) => use((ready) => ready.export(id, request)),
      exportLink: (id, request) => use(({ exportLink }) => exportLink(id, request)),
      beginUpload: (request) => use(({ beginUpload }) => beginUpload(request)),
      upload: (request, bytes) => use(({ upload }) => upload(request, bytes)),
      quote: (request) => use(({ quote }) => quote(request)),
    }
  })
