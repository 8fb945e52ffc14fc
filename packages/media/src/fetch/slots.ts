import { Effect, type Scope } from "effect"

/** Places for connections: so many in all, and so many to one host. */
export interface Slots {
  /** Waits for a place and keeps it as long as the scope lives. */
  readonly take: (host: string) => Effect.Effect<void, never, Scope.Scope>
}

const held = (semaphore: Effect.Semaphore): Effect.Effect<void, never, Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.zipRight(
      restore(semaphore.take(1)),
      Effect.addFinalizer(() => semaphore.release(1)),
    ),
  )

export const makeSlots = (options: { readonly inAll: number; readonly perHost: number }): Slots => {
  const all = Effect.unsafeMakeSemaphore(options.inAll)
  const hosts = new Map<string, { readonly semaphore: Effect.Semaphore; users: number }>()

  const enter = (host: string) => {
    const entry = hosts.get(host) ?? { semaphore: Effect.unsafeMakeSemaphore(options.perHost), users: 0 }
    entry.users += 1
    hosts.set(host, entry)
    return entry
  }
  const leave = (host: string) => {
    const entry = hosts.get(host)
    if (entry === undefined) return
    entry.users -= 1
    if (entry.users === 0) hosts.delete(host)
  }

  return {
    take: (host) =>
      Effect.gen(function* () {
        const { semaphore } = yield* Effect.acquireRelease(
          Effect.sync(() => enter(host)),
          () => Effect.sync(() => leave(host)),
        )
        // The place at the host comes first: who waits for a busy host takes nothing from the others.
        yield* held(semaphore)
        yield* held(all)
      }),
  }
}
