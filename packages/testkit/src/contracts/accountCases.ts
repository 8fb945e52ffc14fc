import { AccountId } from "@earmark/core/jobs"
import type { PlanLimits } from "@earmark/core/wire"
import { Accounts, ApiKeys, Idempotency, type Position } from "@earmark/service"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createKey, newAccount, newGuard, newId, newKey, now, unique } from "./makers.js"
import { racing, refusal } from "./working.js"

const nobody = AccountId.make("acct_00000000000000000000000000")

export const accountsCases: ReadonlyArray<StoreCase> = [
  promise(
    "an account is what it was made as",
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const id = yield* newAccount()
      const account = yield* accounts.get(id)
      const limits: PlanLimits = { maxMediaMinutes: null, maxUploadBytes: null, maxWaitingJobs: null }
      assert.deepInclude(account, { id, name: "Ann", email: null, isPaid: false })
      assert.deepStrictEqual(account.limits, limits)
      assert.strictEqual(yield* refusal(accounts.get(nobody)), "AccountNotFound")
    }),
  ),
  promise(
    "of racing creations of one account one gives its free credits",
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const id = yield* newAccount(0)
      const createdAt = yield* now
      yield* racing(10, () => accounts.create({ id, name: "Bob", email: null, freeCredits: 60, createdAt }))
      assert.strictEqual((yield* accounts.get(id)).name, "Ann")
    }),
  ),
  promise(
    "an account is found by its email address in any case, the oldest of several",
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const email = `${yield* unique}@Example.org`
      assert.isNull(yield* accounts.findByEmail(email))
      const [id, laterId] = [AccountId.make(yield* newId("account")), AccountId.make(yield* newId("account"))]
      yield* accounts.create({ id, name: "Bea", email, freeCredits: 0, createdAt: yield* now })
      yield* advance(1)
      const later = { id: laterId, name: "Cleo", email, freeCredits: 0, createdAt: yield* now }
      yield* accounts.create(later)
      assert.strictEqual((yield* accounts.findByEmail(email.toUpperCase()))?.id, id)
      assert.isNull(yield* accounts.findByEmail("example.org"))
    }),
  ),
  promise(
    "limits are set for one account",
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const [id, other] = [yield* newAccount(), yield* newAccount()]
      const limits: PlanLimits = { maxMediaMinutes: 60, maxUploadBytes: 1000, maxWaitingJobs: 3 }
      assert.deepStrictEqual((yield* accounts.setLimits(id, limits)).limits, limits)
      assert.deepStrictEqual((yield* accounts.get(id)).limits, limits)
      assert.isNull((yield* accounts.get(other)).limits.maxWaitingJobs)
      assert.strictEqual(yield* refusal(accounts.setLimits(nobody, limits)), "AccountNotFound")
    }),
  ),
  promise(
    "one account gets another name",
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const [id, other] = [yield* newAccount(), yield* newAccount()]
      const [before, stays] = [yield* accounts.get(id), yield* accounts.get(other)]
      assert.deepStrictEqual(yield* accounts.rename(id, "Ann Marsh"), { ...before, name: "Ann Marsh" })
      assert.strictEqual((yield* accounts.get(id)).name, "Ann Marsh")
      assert.deepStrictEqual(yield* accounts.get(other), stays)
      assert.strictEqual(yield* refusal(accounts.rename(nobody, "Ann")), "AccountNotFound")
    }),
  ),
  promise(
    "every account is on one page of the list",
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const made: Array<string> = []
      for (let count = 0; count < 5; count++) {
        made.push(yield* newAccount())
        yield* advance(1)
      }
      const seen: Array<string> = []
      let after: Position | null = null
      do {
        const page: {
          readonly items: ReadonlyArray<{ readonly id: string }>
          readonly next: Position | null
        } = yield* accounts.list({ limit: 2, after })
        seen.push(...page.items.map(({ id }) => id))
        after = page.next
      } while (after !== null && seen.length < 10_000)
      const wanted = new Set(made)
      assert.deepStrictEqual(
        seen.filter((id) => wanted.has(id)),
        made.reverse(),
      )
    }),
  ),
]

export const apiKeysCases: ReadonlyArray<StoreCase> = [
  promise(
    "of racing creations of one key one makes it, and none of the others is found",
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const account = yield* newAccount()
      const first = yield* newKey(account)
      const rivals = yield* Effect.all(Array.from({ length: 8 }, () => newKey(account, { id: first.id })))
      const made = yield* Effect.forEach(rivals, (rival) => keys.create(rival), { concurrency: "unbounded" })
      assert.strictEqual(made.filter((key) => key !== null).length, 1)
      const found = yield* Effect.forEach(rivals, ({ hash }) => keys.find(hash))
      assert.deepStrictEqual(
        found.map((bearer) => bearer !== null),
        made.map((key) => key !== null),
      )
      assert.strictEqual((yield* keys.list(account, { limit: 10, after: null })).items.length, 1)
    }),
  ),
  promise(
    "a key is found by its hash, and says whose it is and what it may",
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const account = yield* newAccount()
      const key = yield* createKey(account)
      const bearer = { key: key.id, account, scopes: key.scopes }
      assert.deepStrictEqual(yield* keys.find(key.hash), bearer)
      const other = Uint8Array.from(key.hash)
      other[0] = (other[0] ?? 0) ^ 1
      assert.isNull(yield* keys.find(other))
      assert.isNull(yield* keys.find(new Uint8Array()))
    }),
  ),
  promise(
    "a revoked key is not found, stays listed, and is revoked once",
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const account = yield* newAccount()
      const key = yield* createKey(account)
      const revoked = yield* keys.revoke(account, key.id)
      assert.isNotNull(revoked.revokedAt)
      yield* advance(10)
      assert.deepStrictEqual((yield* keys.revoke(account, key.id)).revokedAt, revoked.revokedAt)
      assert.isNull(yield* keys.find(key.hash))
      const { items } = yield* keys.list(account, { limit: 10, after: null })
      assert.deepStrictEqual(
        items.map(({ id }) => id),
        [key.id],
      )
    }),
  ),
  promise(
    "a key is renamed by its account alone, and stays what it was otherwise",
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const [key, neighbor] = [yield* createKey(account), yield* createKey(account)]
      const listed = Effect.map(keys.list(account, { limit: 10, after: null }), ({ items }) => items)
      const before = yield* listed
      const renamed = before.map((each) => (each.id === key.id ? { ...each, name: "Nightly" } : each))
      assert.deepInclude(yield* keys.update(account, key.id, { name: "Nightly" }), {
        id: key.id,
        name: "Nightly",
      })
      assert.deepStrictEqual(yield* listed, renamed)
      assert.strictEqual(yield* refusal(keys.update(other, key.id, { name: "Theirs" })), "KeyNotFound")
      assert.deepStrictEqual(yield* listed, renamed)
      assert.isNotNull(yield* keys.find(key.hash))
      yield* keys.revoke(account, neighbor.id)
      assert.isNotNull((yield* keys.update(account, neighbor.id, { name: null })).revokedAt)
      assert.isNull((yield* keys.update(account, key.id, { name: null })).name)
    }),
  ),
  promise(
    "a key is not found from its end on",
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const account = yield* newAccount()
      const key = yield* createKey(account, { expiresAt: (yield* now) + 10_000 })
      yield* advance(9)
      assert.isNotNull(yield* keys.find(key.hash))
      yield* advance(1)
      assert.isNull(yield* keys.find(key.hash))
    }),
  ),
  promise(
    "the keys of an account are its own, newest first, without their hash",
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const first = yield* createKey(account)
      yield* advance(1)
      const second = yield* createKey(account, { name: null })
      yield* createKey(other)
      const page = yield* keys.list(account, { limit: 1, after: null })
      const rest = yield* keys.list(account, { limit: 5, after: page.next })
      const [listed] = page.items
      assert.deepInclude(listed, {
        id: second.id,
        name: null,
        last4: "abcd",
        prefix: "em_live_",
        revokedAt: null,
      })
      assert.notProperty(listed, "hash")
      assert.deepStrictEqual(
        rest.items.map(({ id }) => id),
        [first.id],
      )
      assert.isNull(rest.next)
      assert.strictEqual(yield* refusal(keys.revoke(other, first.id)), "KeyNotFound")
      assert.isNotNull(yield* keys.find(first.hash))
    }),
  ),
  promise(
    "the last use of a key is noted, at most once a minute",
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const account = yield* newAccount()
      const key = yield* createKey(account)
      const lastUse = Effect.gen(function* () {
        const { items } = yield* keys.list(account, { limit: 10, after: null })
        const used = items[0]?.lastUsedAt ?? null
        return used === null ? null : DateTime.toEpochMillis(used)
      })
      assert.isNull(yield* lastUse)
      yield* keys.find(key.hash)
      const first = yield* lastUse
      assert.isNotNull(first)
      yield* advance(59)
      yield* keys.find(key.hash)
      assert.strictEqual(yield* lastUse, first)
      yield* advance(61)
      yield* keys.find(key.hash)
      assert.isAbove((yield* lastUse) ?? 0, first ?? 0)
    }),
  ),
]

export const idempotencyCases: ReadonlyArray<StoreCase> = [
  promise(
    "an answer is remembered once, and recalled until its time",
    Effect.gen(function* () {
      const idempotency = yield* Idempotency
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const guard = yield* newGuard({ expiresAt: (yield* now) + 10_000 })
      assert.isNull(yield* idempotency.recall(account, guard.key, "f1"))
      assert.deepStrictEqual(yield* idempotency.remember(account, guard), { type: "done" })
      const again = yield* idempotency.remember(account, { ...guard, answer: "other" })
      assert.deepStrictEqual(again, { type: "replayed", answer: guard.answer })
      assert.strictEqual(yield* idempotency.recall(account, guard.key, "f1"), guard.answer)
      assert.strictEqual(yield* refusal(idempotency.recall(account, guard.key, "f2")), "IdempotencyKeyReused")
      const reused = idempotency.remember(account, { ...guard, fingerprint: "f2" })
      assert.strictEqual(yield* refusal(reused), "IdempotencyKeyReused")
      assert.isNull(yield* idempotency.recall(other, guard.key, "f1"))
      yield* advance(10)
      assert.isNull(yield* idempotency.recall(account, guard.key, "f1"))
    }),
  ),
  promise(
    "of racing answers under one key one is kept",
    Effect.gen(function* () {
      const idempotency = yield* Idempotency
      const account = yield* newAccount()
      const guard = yield* newGuard()
      const kept = yield* racing(20, (index) =>
        idempotency.remember(account, { ...guard, answer: `answer ${index}` }).pipe(
          Effect.retry({ while: (error) => error._tag === "IdempotencyInProgress", times: 1000 }),
          Effect.map((made) => (made.type === "done" ? `answer ${index}` : made.answer)),
        ),
      )
      assert.strictEqual(new Set(kept).size, 1)
    }),
  ),
]
