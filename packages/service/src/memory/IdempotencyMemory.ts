import { Effect, Either, Layer } from "effect"
import { Idempotency } from "../ports/Idempotency.js"
import { guarded, recall } from "./guards.js"
import { MemoryDatabase } from "./MemoryDatabase.js"

export const layer = Layer.effect(
  Idempotency,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    return Idempotency.of({
      recall: (account, key, fingerprint) => transact((db) => recall(db, account, { key, fingerprint })),
      remember: (account, guard) => transact((db) => guarded(db, account, guard, () => Either.void)),
    })
  }),
)
