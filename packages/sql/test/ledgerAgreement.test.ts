import { randomBytes } from "node:crypto"
import { type Balance, decide } from "@earmark/core/credits"
import { AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, makeId } from "@earmark/core/jobs"
import { type RateState, take } from "@earmark/core/requests"
import { JobStore, Ledger, RateLimiter } from "@earmark/service"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Either, FastCheck, Option } from "effect"
import { Database } from "../src/database/Database.js"
import { pgliteMemory } from "./backends.js"

const newId = (kind: "account" | "job") => makeId(kind, 0, randomBytes(ID_RANDOM_BYTES))

const balances = FastCheck.record({
  posted: FastCheck.integer({ min: -20, max: 40 }),
  held: FastCheck.integer({ min: 0, max: 40 }),
  hold: FastCheck.integer({ min: 1, max: 40 }),
})

const requests = FastCheck.record({
  policy: FastCheck.record({
    limit: FastCheck.integer({ min: 1, max: 50 }),
    windowSeconds: FastCheck.integer({ min: 1, max: 100 }),
    burst: FastCheck.integer({ min: 1, max: 8 }),
  }),
  gaps: FastCheck.array(FastCheck.integer({ min: 0, max: 5000 }), { maxLength: 12 }),
})

layer(pgliteMemory.layer, { excludeTestServices: true, timeout: "60 seconds" })(
  "what SQL decides by itself",
  (it) => {
    const createdWith = (before: Balance, hold: number) =>
      Effect.gen(function* () {
        const { query } = yield* Database
        const store = yield* JobStore
        const ledger = yield* Ledger
        const account = AccountId.make(before.account)
        yield* query(
          "test",
          "INSERT INTO credit_balance (account_id, posted, held, floor) VALUES ($1, $2, $3, $4)",
          [account, before.posted, before.held, before.floor],
        )
        const created = yield* Effect.either(
          store.create(
            {
              id: JobId.make(newId("job")),
              account,
              title: null,
              source: { shown: { kind: "media" }, mediaUrl: null, link: null, identity: null },
              options: effectiveOptions({}),
              metadata: null,
              key: null,
              durationSeconds: null,
              createdAt: 0,
              expiresAt: null,
              hold,
            },
            { guard: null, maxWaiting: null },
          ),
        )
        return { created, balance: yield* ledger.balance(account) }
      })

    it.effect(
      "a new job is held and refused exactly as core decides",
      () =>
        Effect.gen(function* () {
          for (const { posted, held, hold } of FastCheck.sample(balances, 300)) {
            const account = newId("account")
            const before: Balance = { account, posted, held, floor: Math.min(0, posted - held) }
            const view = { balance: () => before, hold: () => undefined, hasTransaction: () => false }
            const decided = decide(view, { type: "hold", account, job: "tr_x", run: 0, amount: hold })
            const { created, balance } = yield* createdWith(before, hold)
            if (Either.isLeft(decided)) {
              assert.deepStrictEqual<unknown>(Option.getOrThrow(Either.getLeft(created)), decided.left)
              assert.deepStrictEqual(balance, before)
            } else {
              assert.isTrue(Either.isRight(created))
              assert.deepStrictEqual(balance, decided.right.balance)
            }
          }
        }),
      60_000,
    )

    it.effect(
      "a limiter lets through exactly what core lets through",
      () =>
        Effect.gen(function* () {
          const limiter = yield* RateLimiter
          for (const { policy, gaps } of FastCheck.sample(requests, 60)) {
            const bucket = newId("account")
            let state: RateState = null
            for (const gap of gaps) {
              yield* pgliteMemory.advance(Duration.millis(gap))
              const { state: next, ...expected } = take(state, policy, yield* pgliteMemory.now)
              state = next
              assert.deepStrictEqual(yield* limiter.take(bucket, policy), expected)
            }
          }
        }),
      60_000,
    )
  },
)
