import type {
  AccountLinks,
  Accounts,
  ApiKeys,
  Figures,
  Idempotency,
  JobOutbox,
  JobQueue,
  JobStore,
  Ledger,
  OAuthRecords,
  PaymentStore,
  StoreKey,
  UploadStore,
  WebhookStore,
} from "@earmark/service"
import { describe, layer } from "@effect/vitest"
import { Context, type Duration, Effect, Layer } from "effect"

/** The ports that one database implements together. */
export type Stores =
  | AccountLinks
  | Accounts
  | ApiKeys
  | Figures
  | Idempotency
  | JobOutbox
  | JobQueue
  | JobStore
  | Ledger
  | OAuthRecords
  | PaymentStore
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

/** A layer to be tested, and how to move its clock. */
export interface Backend<Ports, Own = never, E = never> {
  readonly layer: Layer.Layer<Ports | Own, E>
  readonly now: Effect.Effect<number, never, Own>
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

/** Makes tests of cases. Clocks of the process are real: only that of the store is moved. */
export const runCases = <Ports, Own, E>(
  name: string,
  backend: Backend<Ports, Own, E>,
  cases: ReadonlyArray<Case<Ports | StoreClock>>,
): void => {
  describe(name, () => {
    layer(withClock(backend), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
      for (const { name: promised, run } of cases) it.effect(promised, () => run, 60_000)
    })
  })
}
