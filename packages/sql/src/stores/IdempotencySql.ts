import { Idempotency } from "@earmark/service"
import { Effect, Layer } from "effect"
import { Database } from "../database/Database.js"
import { type GuardRow, guarded, makeTurns, readGuard } from "./guards.js"

const RECALL = `SELECT CASE WHEN fingerprint = $3 THEN 'replayed' ELSE 'reused' END AS outcome, answer AS known_answer
FROM idempotency WHERE account_id = $1 AND key = $2 AND expires_at > earmark_now()`

const make = Effect.gen(function* () {
  const database = yield* Database
  const inTurn = makeTurns()

  return Idempotency.of({
    recall: (account, key, fingerprint) =>
      Effect.gen(function* () {
        const [row] = yield* database.query<GuardRow>(
          "Idempotency.recall",
          RECALL,
          [account, key, fingerprint],
          {
            reads: true,
            account,
          },
        )
        if (row === undefined) return null
        const known = yield* readGuard(row)
        return known?.type === "replayed" ? known.answer : null
      }),

    remember: (account, guard) =>
      inTurn(
        account,
        guard,
        database.transaction(
          "Idempotency.remember",
          (run) => guarded(run, account, guard, () => Effect.void),
          {
            account,
          },
        ),
      ),
  })
})

export const layer = Layer.effect(Idempotency, make)
