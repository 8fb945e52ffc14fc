import { type Balance, decide, decideReload } from "@earmark/core/credits"
import { AccountId, ReloadId, timeOfId } from "@earmark/core/jobs"
import { type RateState, take } from "@earmark/core/requests"
import { JobStore, Ledger, RateLimiter } from "@earmark/service"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Either, FastCheck, Layer, Option, Schema } from "effect"
import { Database } from "../src/database/Database.js"
import { timeText } from "../src/database/values.js"
import { embedded, embeddedMissing, pgliteFile } from "./backends.js"
import { newId, newJob } from "./newJob.js"

const { now: currentTime, advance } = embedded
const stores = embeddedMissing === null ? Layer.orDie(embedded.layer) : Layer.orDie(pgliteFile.layer)

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

const HOUR = 3_600_000

/** Reloads of before, oldest first: how they ended, and how many hours lay between them. */
const reloads = FastCheck.record({
  enabled: FastCheck.boolean(),
  threshold: FastCheck.integer({ min: 0, max: 20 }),
  available: FastCheck.integer({ min: 0, max: 20 }),
  monthlyCap: FastCheck.integer({ min: 10, max: 40 }),
  before: FastCheck.array(
    FastCheck.record({
      state: FastCheck.constantFrom("succeeded", "declined", "declined", "action_required"),
      attempt: FastCheck.integer({ min: 1, max: 2 }),
      hours: FastCheck.constantFrom(0, 1, 2, 23, 25, 24 * 20),
    }),
    { maxLength: 4 },
  ),
  open: FastCheck.constantFrom(null, null, null, "pending", "processing"),
  since: FastCheck.constantFrom(0, 0.9, 1, 23.9, 24, 24 * 12, 24 * 31),
})

type History = typeof reloads extends FastCheck.Arbitrary<infer Value> ? Value : never
type Past = ReadonlyArray<{ readonly state: string; readonly attempt: number; readonly at: number }>

const AMOUNT = 10

const pastOf = ({ before, since }: History, now: number): Past => {
  let at = now - since * HOUR - before.reduce((sum, { hours }) => sum + hours * HOUR, 0)
  return before.map(({ state, attempt, hours }) => {
    at += hours * HOUR
    return { state, attempt, at }
  })
}

const monthOf = (time: number): string => timeText(time).slice(0, 7)

const boughtIn = (past: Past, month: string): number =>
  past.filter(({ state, at }) => state === "succeeded" && monthOf(at) === month).length * AMOUNT

const declinesIn = (past: Past): { readonly times: number; readonly at: number } | null => {
  const last = past.findLastIndex(({ state }) => state !== "declined")
  const declines = past.slice(last + 1)
  const at = declines.at(-1)?.at
  return at === undefined ? null : { times: declines.reduce((sum, { attempt }) => sum + attempt, 0), at }
}

layer(stores, { excludeTestServices: true, timeout: "60 seconds" })("what SQL decides by itself", (it) => {
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
        store.create(newJob(account, hold), { guard: null, maxWaiting: null }),
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

  const insertReload = (account: string, id: number, state: string, attempt: number, at: number) =>
    Effect.flatMap(Database, ({ query }) =>
      query(
        "test",
        `INSERT INTO reload (id, account_id, amount, attempt, state, next_at, created_at, declined_at)
          VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`,
        [
          `${account} ${id}`,
          account,
          AMOUNT,
          attempt,
          state,
          timeText(at),
          state === "declined" ? timeText(at) : null,
        ],
      ),
    )

  it.effect(
    "a reload is opened exactly when core asks for one",
    () =>
      Effect.gen(function* () {
        const { query } = yield* Database
        const now = yield* currentTime
        let opened = 0
        for (const history of FastCheck.sample(reloads, 400)) {
          const { enabled, threshold, available, monthlyCap, open } = history
          const account = newId("account")
          const past = pastOf(history, now)
          for (const [index, { state, attempt, at }] of past.entries()) {
            yield* insertReload(account, index, state, attempt, at)
          }
          if (open !== null) yield* insertReload(account, 9, open, 1, now)
          yield* query("test", "INSERT INTO auto_reload VALUES ($1, $2, $3, $4, $5)", [
            account,
            enabled,
            threshold,
            AMOUNT,
            monthlyCap,
          ])
          yield* query("test", "INSERT INTO credit_balance (account_id, posted) VALUES ($1, $2)", [
            account,
            available + 1,
          ])
          yield* query("test", "UPDATE credit_balance SET held = 1 WHERE account_id = $1", [account])
          const facts = {
            available,
            inFlight: open !== null,
            boughtThisMonth: boughtIn(past, monthOf(now)) + (open === null ? 0 : AMOUNT),
            declined: declinesIn(past),
          }
          const decided = decideReload({ enabled, threshold, amount: AMOUNT, monthlyCap }, facts, now)
          const made = yield* query<{ readonly id: string; readonly amount: number }>(
            "test",
            "SELECT id, amount FROM reload WHERE account_id = $1 AND id LIKE 'rel%'",
            [account],
          )
          assert.deepStrictEqual(
            made.map(({ amount }) => amount),
            decided.reload ? [decided.amount] : [],
            JSON.stringify({ facts, decided }),
          )
          for (const { id } of made) {
            assert.isTrue(Schema.is(ReloadId)(id), id)
            assert.strictEqual(timeOfId(id), now)
            opened += 1
          }
        }
        assert.isAbove(opened, 20)
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
            yield* advance(Duration.millis(gap))
            const { state: next, ...expected } = take(state, policy, yield* currentTime)
            state = next
            assert.deepStrictEqual(yield* limiter.take(bucket, policy), expected)
          }
        }
      }),
    60_000,
  )
})
