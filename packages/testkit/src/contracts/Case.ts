import type {
  AccountLinks,
  Accounts,
  ApiKeys,
  EditStore,
  ExtraStore,
  Figures,
  Idempotency,
  JobQueue,
  JobStore,
  Ledger,
  OAuthRecords,
  PaymentStore,
  PublicationStore,
  StoreKey,
  UploadStore,
  WebhookStore,
} from "@earmark/service"
import { afterAll, beforeAll, describe, it } from "@effect/vitest"
import { Cause, Context, type Duration, Effect, Exit, Layer, ManagedRuntime } from "effect"

/** The ports that one database implements together. */
export type Stores =
  | AccountLinks
  | Accounts
  | ApiKeys
  | Figures
  | Idempotency
  | JobQueue
  | JobStore
  | Ledger
  | OAuthRecords
  | PaymentStore
  | EditStore
  | ExtraStore
  | PublicationStore
  | StoreKey
  | UploadStore
  | WebhookStore

/** The clock that a store goes by, which is not that of the process. */
export class StoreClock extends Context.Tag("@earmark/testkit/StoreClock")<
  StoreClock,
  {
    /** Milliseconds since 1970. */
    readonly now: Effect.Effect<number>
    readonly advance: (duration: Duration.DurationInput) => Effect.Effect<void>
  }
>() {}

/** A layer to be tested, and how to move its clock. `onManualClock` makes one of a layer that goes by the clock of Effect. */
export interface Backend<Ports, Own = never, E = never> {
  /** Built once for a whole suite. */
  readonly layer: Layer.Layer<Ports | Own, E>
  /** What the clock of the layer shows, in milliseconds since 1970. */
  readonly now: Effect.Effect<number, never, Own>
  /** Moves that clock on, for good: the layer then sees everything as so much older. */
  readonly advance: (duration: Duration.DurationInput) => Effect.Effect<void, never, Own>
}

/** One promise of a port. Cases share a store: each makes its own accounts and never counts the whole store. */
export interface Case<Needs> {
  readonly name: string
  readonly run: Effect.Effect<void, never, Needs>
}

/** A promise of the ports of a database. */
export type StoreCase = Case<Stores | StoreClock>

export const promise = <Needs, E>(name: string, run: Effect.Effect<void, E, Needs>): Case<Needs> => ({
  name,
  run: Effect.orDie(run),
})

/** The ports of a backend with its clock. */
export const withClock = <Ports, Own, E>(backend: Backend<Ports, Own, E>) => {
  const clock = Layer.effect(
    StoreClock,
    Effect.map(Effect.context<Own>(), (own) => ({
      now: Effect.provide(backend.now, own),
      advance: (duration) => Effect.provide(backend.advance(duration), own),
    })),
  )
  return Layer.provideMerge(clock, backend.layer)
}

/** Why a case failed: who was asked for what, and what came instead. */
export const explained = (whom: string, what: string, cause: Cause.Cause<unknown>): Error => {
  const squashed = Cause.squash(cause)
  // Test runners show the difference that the error holds.
  const error = squashed instanceof Error ? squashed : new Error(String(squashed))
  const message = `${whom} has to ${what}, and did not: ${error.message}`
  // Errors of ours may compute theirs.
  return Object.defineProperty(error, "message", { value: message, configurable: true })
}

/** A test of each case, with the layer built once for them. (`layer` of Effect's Vitest would change `it.effect` for whatever comes after.) */
export const casesIn = <Needs, E>(
  whom: string,
  world: Layer.Layer<Needs, E>,
  cases: ReadonlyArray<Case<NoInfer<Needs>>>,
): void => {
  const runtime = ManagedRuntime.make(world)
  beforeAll(async () => {
    const exit = await runtime.runPromiseExit(Effect.void)
    if (Exit.isFailure(exit)) throw explained(whom, "start", exit.cause)
  }, 60_000)
  afterAll(() => runtime.dispose(), 60_000)
  for (const { name, run } of cases) {
    it(name, { timeout: 60_000 }, async ({ signal }) => {
      const exit = await runtime.runPromiseExit(run, { signal })
      if (Exit.isFailure(exit)) throw explained(whom, `keep the promise "${name}"`, exit.cause)
    })
  }
}

/** Makes tests of cases. Clocks of the process are real: only that of the store is moved. */
export const runCases = <Ports, Own, E>(
  name: string,
  backend: Backend<Ports, Own, E>,
  cases: ReadonlyArray<Case<Ports | StoreClock>>,
): void => {
  describe(name, () => casesIn(name, withClock(backend), cases))
}
