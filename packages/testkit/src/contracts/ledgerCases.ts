import { AccountId } from "@earmark/core/jobs"
import { Accounts, JobQueue, Ledger, type ReloadSettings } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createJob, finishedWith, newAccount, now, unique } from "./makers.js"
import { balanceOf, booksAreRight, linesOf, racing, refusal, takeOne } from "./working.js"

const stranger = AccountId.make("acct_00000000000000000000000000")

const settings: ReloadSettings = { enabled: true, threshold: 10, amount: 50, monthlyCap: 120 }

/** An account that wants a reload. */
const needy = (credits = 5) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const account = yield* newAccount(credits)
    yield* ledger.putReloadSettings(account, settings)
    return account
  })

const openFor = (account: AccountId) => Effect.flatMap(Ledger, (ledger) => ledger.takeReload(account))

const opened = (account: AccountId) =>
  Effect.flatMap(openFor(account), (reload) =>
    reload === null ? Effect.dieMessage("no reload was opened") : Effect.succeed(reload),
  )

/** What is due of an account; that of others is taken with it. */
const dueFor = (account: AccountId) =>
  Effect.map(
    Effect.flatMap(Ledger, (ledger) => ledger.takeDueReloads(1000)),
    (reloads) =>
      reloads
        .filter((reload) => reload.account === account)
        .map(({ id, attempt, state }) => ({ id, attempt, state })),
  )

const declined = { attempt: 1, state: "declined", providerReference: null, nextAt: 0, provider: "p" } as const

export const ledgerCases: ReadonlyArray<StoreCase> = [
  promise(
    "a new account has its free credits, once",
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const account = yield* newAccount(60)
      const again = { id: account, name: "Bob", email: null, freeCredits: 60, createdAt: yield* now }
      assert.strictEqual((yield* accounts.create(again)).name, "Ann")
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 60, held: 0, floor: 0 })
      assert.deepStrictEqual(
        (yield* linesOf(account)).map(({ kind, amount, job }) => ({ kind, amount, job })),
        [{ kind: "signup", amount: 60, job: null }],
      )
    }),
  ),
  promise(
    "a line tells what it was for: the reference of a grant, a payment, a job",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* newAccount(60)
      const payment = yield* unique
      yield* ledger.adjust(account, 5, "welcome: twice")
      yield* ledger.topUp(account, {
        amount: 7,
        provider: "operator",
        payment: `${account}:${payment}`,
        kind: "purchase",
      })
      yield* ledger.topUp(account, { amount: 9, provider: "p", payment, kind: "purchase" })
      yield* ledger.refund(account, 1, `p:${payment}`)
      assert.sameDeepMembers(
        (yield* linesOf(account)).map(({ amount, reference }) => [amount, reference]),
        [
          [60, null],
          [5, "welcome: twice"],
          [7, payment],
          [9, `p:${payment}`],
          [-1, `p:${payment}`],
        ],
      )
    }),
  ),
  promise(
    "an account that does not exist has no credits",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const payment = { amount: 5, provider: "p", payment: yield* unique, kind: "purchase" } as const
      const attempts = [
        ledger.balance(stranger),
        ledger.adjust(stranger, 5, "x"),
        ledger.topUp(stranger, payment),
        ledger.refund(stranger, 5, yield* unique),
        ledger.reloadSettings(stranger),
        ledger.putReloadSettings(stranger, settings),
        ledger.takeReload(stranger),
      ]
      for (const attempt of attempts) assert.strictEqual(yield* refusal(attempt), "AccountNotFound")
      assert.deepStrictEqual(yield* linesOf(stranger), [])
      yield* booksAreRight
    }),
  ),
  promise(
    "an adjustment happens once for its reference and account, and never goes below the floor",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const [account, other] = [yield* newAccount(10), yield* newAccount(10)]
      const reference = yield* unique
      yield* racing(10, () => ledger.adjust(account, 5, reference))
      assert.strictEqual((yield* ledger.adjust(account, 7, reference)).posted, 15)
      assert.strictEqual((yield* ledger.adjust(other, 5, reference)).posted, 15)
      assert.strictEqual((yield* ledger.adjust(account, -15, yield* unique)).posted, 0)
      assert.strictEqual(yield* refusal(ledger.adjust(account, -1, yield* unique)), "OutOfCredits")
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 0, held: 0, floor: 0 })
      yield* booksAreRight
    }),
  ),
  promise(
    "a grant of the operator counts once for its reference, as an adjustment or a purchase, and what it was is told",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const accounts = yield* Accounts
      const order = yield* unique
      const grantTo = (account: AccountId, asPurchase: boolean, amount: number) =>
        asPurchase
          ? ledger.topUp(account, {
              amount,
              provider: "operator",
              payment: `${account}:${order}`,
              kind: "purchase",
            })
          : ledger.adjust(account, amount, order)
      for (const asPurchase of [true, false]) {
        const account = yield* newAccount(0)
        const kind = asPurchase ? "purchase" : "adjustment"
        assert.isNull((yield* grantTo(account, asPurchase, 100)).earlier)
        for (const [again, amount] of [
          [asPurchase, 100],
          [!asPurchase, 100],
          [!asPurchase, 500],
        ] as const) {
          const { posted, earlier } = yield* grantTo(account, again, amount)
          assert.deepStrictEqual({ posted, earlier }, { posted: 100, earlier: { kind, amount: 100 } })
        }
        assert.lengthOf(yield* linesOf(account), 1)
        assert.strictEqual((yield* accounts.get(account)).isPaid, asPurchase)
      }
      const raced = yield* newAccount(0)
      const results = yield* racing(10, () => grantTo(raced, false, 7))
      assert.lengthOf(
        results.filter(({ earlier }) => earlier === null),
        1,
      )
      yield* booksAreRight
    }),
  ),
  promise(
    "a payment credits once, whatever the number of racing notices and whoever it is claimed for",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const accounts = yield* Accounts
      const [account, other] = [yield* newAccount(0), yield* newAccount(0)]
      const payment = { amount: 100, provider: "p", payment: yield* unique, kind: "purchase" } as const
      yield* racing(20, () => ledger.topUp(account, payment))
      yield* ledger.topUp(other, payment)
      assert.strictEqual((yield* ledger.balance(account)).posted, 100)
      assert.strictEqual((yield* ledger.balance(other)).posted, 0)
      yield* ledger.topUp(account, { ...payment, provider: "q" })
      assert.strictEqual((yield* ledger.balance(account)).posted, 200)
      assert.isTrue((yield* accounts.get(account)).isPaid)
      yield* booksAreRight
    }),
  ),
  promise(
    "a purchase unlocks, a reload does not",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const accounts = yield* Accounts
      const account = yield* newAccount(0)
      const payment = { amount: 5, provider: "p", payment: yield* unique, kind: "reload" } as const
      yield* ledger.topUp(account, payment)
      assert.isFalse((yield* accounts.get(account)).isPaid)
      yield* ledger.topUp(account, { ...payment, payment: yield* unique, kind: "purchase" })
      assert.isTrue((yield* accounts.get(account)).isPaid)
    }),
  ),
  promise(
    "a refund happens once, may go below zero, and its debt is paid before anything can be held",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* newAccount(0)
      const payment = { amount: 50, provider: "p", payment: yield* unique, kind: "purchase" } as const
      yield* ledger.topUp(account, payment)
      yield* createJob(account, { hold: 40 })
      const { lease } = yield* takeOne(account)
      const finished = finishedWith({ credits: 40, billedMinutes: 40 })
      yield* Effect.flatMap(JobQueue, (queue) =>
        queue.complete(lease, finished, { cacheKeys: [], shared: false }),
      )
      const reference = yield* unique
      yield* racing(5, () => ledger.refund(account, 50, reference))
      assert.deepStrictEqual(yield* balanceOf(account), { posted: -40, held: 0, floor: -40 })
      yield* ledger.topUp(account, { ...payment, payment: yield* unique, amount: 30 })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: -10, held: 0, floor: -10 })
      assert.strictEqual(yield* refusal(createJob(account)), "OutOfCredits")
      yield* ledger.topUp(account, { ...payment, payment: yield* unique, amount: 11 })
      yield* createJob(account)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 1, held: 1, floor: 0 })
      yield* booksAreRight
    }),
  ),
  promise(
    "the lines of an account are its own, newest first, page by page, and sum to its balance",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* newAccount(60)
      for (const amount of [1, 2, 3, -4]) {
        yield* advance(1)
        yield* ledger.adjust(account, amount, yield* unique)
      }
      const first = yield* ledger.entries(account, { limit: 3, after: null })
      yield* advance(1)
      yield* ledger.adjust(account, 9, yield* unique)
      const second = yield* ledger.entries(account, { limit: 3, after: first.next })
      const seen = [...first.items, ...second.items]
      assert.deepStrictEqual(
        seen.map(({ amount }) => amount),
        [-4, 3, 2, 1, 60],
      )
      assert.isNull(second.next)
      assert.strictEqual(new Set(seen.map(({ id }) => id)).size, 5)
      const all = yield* linesOf(account)
      assert.strictEqual(
        all.reduce((sum, { amount }) => sum + amount, 0),
        (yield* ledger.balance(account)).posted,
      )
    }),
  ),
  promise(
    "settings of auto-reload are kept as they are given",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* newAccount(0)
      const none = { enabled: false, threshold: null, amount: null, monthlyCap: null }
      assert.deepStrictEqual(yield* ledger.reloadSettings(account), none)
      assert.deepStrictEqual(yield* ledger.putReloadSettings(account, settings), settings)
      assert.deepStrictEqual(yield* ledger.reloadSettings(account), settings)
    }),
  ),
  promise(
    "a reload opens only when it is asked for, and of racing calls one opens it",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* newAccount(5)
      assert.isNull(yield* openFor(account))
      yield* ledger.putReloadSettings(account, { ...settings, enabled: false })
      assert.isNull(yield* openFor(account))
      yield* ledger.putReloadSettings(account, settings)
      const results = yield* racing(20, () => openFor(account))
      const [reload, ...more] = results.filter((result) => result !== null)
      assert.deepInclude(reload, {
        account,
        amount: 50,
        attempt: 1,
        state: "pending",
        providerReference: null,
      })
      assert.deepStrictEqual(more, [])
      const rich = yield* newAccount(10)
      yield* ledger.putReloadSettings(rich, settings)
      assert.isNull(yield* openFor(rich))
    }),
  ),
  promise(
    "a reload that succeeded tops up once, also when the notice of its payment comes as well",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* needy(5)
      const { id } = yield* opened(account)
      const reference = yield* unique
      const outcome = { ...declined, state: "succeeded", providerReference: reference } as const
      yield* racing(5, () => ledger.recordReload(id, outcome))
      yield* ledger.topUp(account, { amount: 50, provider: "p", payment: reference, kind: "reload" })
      yield* ledger.recordReload(id, declined)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 55, held: 0, floor: 0 })
      assert.isNull(yield* openFor(account))
      yield* advance(3600)
      assert.deepStrictEqual(yield* dueFor(account), [])
      yield* booksAreRight
    }),
  ),
  promise(
    "an open reload is due at its time, with its next attempt",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* needy()
      const { id } = yield* opened(account)
      const due = dueFor(account)
      // Whoever opened it has a minute to charge it.
      assert.deepStrictEqual(yield* due, [])
      yield* advance(60)
      const takers = yield* racing(5, () => due)
      assert.deepStrictEqual(takers.flat(), [{ id, attempt: 1, state: "pending" }])
      assert.deepStrictEqual(yield* due, [])
      const nextAt = (yield* now) + 3_600_000
      yield* ledger.recordReload(id, { ...declined, attempt: 2, state: "pending", nextAt })
      assert.deepStrictEqual(yield* due, [])
      assert.isNull(yield* openFor(account))
      yield* advance(3600)
      assert.deepStrictEqual(yield* due, [{ id, attempt: 2, state: "pending" }])
      yield* ledger.recordReload(id, { ...declined, attempt: 2, state: "action_required" })
      assert.deepStrictEqual(yield* due, [])
    }),
  ),
  promise(
    "after a decline no reload opens for an hour, and new settings forget it",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* needy()
      yield* ledger.recordReload((yield* opened(account)).id, declined)
      assert.isNull(yield* openFor(account))
      yield* advance(3600)
      const second = yield* opened(account)
      yield* ledger.recordReload(second.id, declined)
      yield* advance(3600)
      assert.isNull(yield* openFor(account))
      yield* ledger.putReloadSettings(account, settings)
      assert.isNotNull(yield* openFor(account))
    }),
  ),
  promise(
    "no more is bought in a month than allowed",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* newAccount(0)
      yield* ledger.putReloadSettings(account, { ...settings, threshold: 1000 })
      for (const _ of [1, 2]) {
        const { id } = yield* opened(account)
        yield* ledger.recordReload(id, { ...declined, state: "succeeded", providerReference: yield* unique })
      }
      assert.isNull(yield* openFor(account))
      yield* advance(32 * 86_400)
      assert.isNotNull(yield* openFor(account))
    }),
  ),
]
