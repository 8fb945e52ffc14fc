import {
  apply,
  availableOf,
  type Balance,
  customerAccount,
  emptyBook,
  type LedgerBook,
  type LedgerOperation,
  type LedgerRefusal,
  recordsOf,
  verifyLedger,
  viewOf,
} from "@earmark/core/credits"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, HashMap } from "effect"

const ACCOUNT = "a"

const after = (...operations: ReadonlyArray<LedgerOperation>): LedgerBook =>
  operations.reduce<LedgerBook>((book, operation) => Either.getOrThrow(apply(book, operation)), emptyBook)

const balanceOf = (book: LedgerBook, account = ACCOUNT): Balance | undefined => viewOf(book).balance(account)

/** Posted, held and floor. */
const numbers = (book: LedgerBook) => {
  const balance = balanceOf(book)
  return [balance?.posted, balance?.held, balance?.floor]
}

const signUp = (amount = 60): LedgerOperation => ({ type: "sign_up", account: ACCOUNT, amount })
const topUp = (amount: number, payment = "p1", provider = "manual"): LedgerOperation => ({
  type: "top_up",
  account: ACCOUNT,
  amount,
  provider,
  payment,
  kind: "purchase",
})
const hold = (amount: number, job = "j", run = 0, account = ACCOUNT): LedgerOperation => ({
  type: "hold",
  account,
  job,
  run,
  amount,
})
const raise = (amount: number, run = 0): LedgerOperation => ({ type: "raise", job: "j", run, amount })
const settle = (amount: number, run = 0): LedgerOperation => ({ type: "settle", job: "j", run, amount })
const release = (run = 0): LedgerOperation => ({ type: "release", job: "j", run })
const refund = (amount: number, reference = "r1"): LedgerOperation => ({
  type: "refund",
  account: ACCOUNT,
  amount,
  reference,
})
const adjust = (amount: number, reference = "x1"): LedgerOperation => ({
  type: "adjust",
  account: ACCOUNT,
  amount,
  reference,
})

const reasonOf = (refusal: LedgerRefusal) =>
  refusal._tag === "OutOfCredits" ? `${refusal.needed} of ${refusal.available}` : refusal.reason

describe("what each operation does to posted, held and floor", () => {
  it.each<[string, ReadonlyArray<LedgerOperation>, Array<number>]>([
    ["sign up", [signUp()], [60, 0, 0]],
    ["sign up twice", [signUp(), signUp()], [60, 0, 0]],
    ["top up", [topUp(100)], [100, 0, 0]],
    ["the same payment twice", [topUp(100), topUp(100)], [100, 0, 0]],
    ["two payments", [topUp(100), topUp(50, "p2")], [150, 0, 0]],
    ["hold", [signUp(), hold(10)], [60, 10, 0]],
    ["hold all of it", [signUp(), hold(60)], [60, 60, 0]],
    ["hold twice", [signUp(), hold(10), hold(10)], [60, 10, 0]],
    ["raise", [signUp(), hold(1), raise(30)], [60, 30, 0]],
    ["raise twice", [signUp(), hold(1), raise(30), raise(30)], [60, 30, 0]],
    ["raise to less", [signUp(), hold(20), raise(10)], [60, 20, 0]],
    ["settle", [signUp(), hold(10), settle(10)], [50, 0, 0]],
    ["settle for less", [signUp(), hold(10), settle(4)], [56, 0, 0]],
    ["settle for nothing", [signUp(), hold(10), settle(0)], [60, 0, 0]],
    ["settle twice", [signUp(), hold(10), settle(10), settle(10)], [50, 0, 0]],
    ["release", [signUp(), hold(10), release()], [60, 0, 0]],
    ["release twice", [signUp(), hold(10), release(), release()], [60, 0, 0]],
    ["a late repeat of a hold", [signUp(), hold(10), release(), hold(10)], [60, 0, 0]],
    ["a retry", [signUp(), hold(10), release(), hold(10, "j", 1)], [60, 10, 0]],
    ["a retry that is settled", [signUp(), hold(9), release(), hold(9, "j", 1), settle(9, 1)], [51, 0, 0]],
    ["an adjustment", [signUp(), adjust(-10), adjust(-10), adjust(5, "x2")], [55, 0, 0]],
    ["a refund of what is there", [topUp(100), refund(40)], [60, 0, 0]],
    ["a refund twice", [topUp(100), refund(40), refund(40)], [60, 0, 0]],
    ["a refund of what was spent", [topUp(100), hold(80), settle(80), refund(100)], [-80, 0, -80]],
    ["a refund under a hold", [topUp(100), hold(80), refund(100)], [0, 80, -80]],
    ["the hold that is settled then", [topUp(100), hold(80), refund(100), settle(50)], [-50, 0, -50]],
    ["the hold that is released then", [topUp(100), hold(80), refund(100), release()], [0, 0, 0]],
    ["the debt that is paid", [topUp(50), hold(50), settle(50), refund(50), topUp(80, "p2")], [30, 0, 0]],
    [
      "the debt that is half paid",
      [topUp(50), hold(50), settle(50), refund(50), topUp(20, "p2")],
      [-30, 0, -30],
    ],
  ])("%s", (_name, operations, expected) => {
    const book = after(...operations)
    assert.deepStrictEqual(numbers(book), expected)
    assert.deepStrictEqual(verifyLedger(recordsOf(book)), [])
  })
})

describe("a grant of the operator counts once for its reference", () => {
  const forms: Readonly<Record<string, LedgerOperation>> = {
    adjustment: adjust(100, "order-7"),
    "adjustment of a SQL store": adjust(100, `${ACCOUNT}:order-7`),
    purchase: topUp(100, `${ACCOUNT}:order-7`, "operator"),
  }
  const pairs = Object.entries(forms).flatMap(([first, one]) =>
    Object.entries(forms).map(([second, other]) => ({ first, second, one, other })),
  )

  it.each(pairs)("$first, then $second", ({ one, other }) => {
    assert.deepStrictEqual(numbers(after(one, other)), [100, 0, 0])
  })

  it("and other references, accounts and providers count too", () => {
    const others: ReadonlyArray<LedgerOperation> = [
      adjust(1, "order-8"),
      topUp(1, `${ACCOUNT}:order-7`),
      topUp(1, "order-7"),
      { type: "adjust", account: "b", amount: 1, reference: "order-7" },
    ]
    for (const other of others) {
      const book = after(adjust(100, "order-7"), other)
      assert.lengthOf([...book.postings], 4, JSON.stringify(other))
    }
  })
})

describe("what is refused", () => {
  it.each<[string, ReadonlyArray<LedgerOperation>, LedgerOperation, string]>([
    ["a hold above what is there", [signUp()], hold(61), "61 of 60"],
    ["a second hold above the rest", [signUp(), hold(50)], hold(11, "k"), "11 of 10"],
    ["a raise above the rest", [signUp(), hold(50)], raise(61), "11 of 10"],
    [
      "a hold on a debt, even after a payment",
      [topUp(50), hold(50), settle(50), refund(50), topUp(20, "p2")],
      hold(1, "k"),
      "1 of 0",
    ],
    ["an adjustment below zero", [signUp()], adjust(-61), "61 of 60"],
    ["a hold of nothing", [signUp()], hold(0), "amount_invalid"],
    ["an adjustment by nothing", [signUp()], adjust(0), "amount_invalid"],
    ["a sum that is no longer exact", [signUp()], topUp(1_000_000_001), "amount_invalid"],
    ["half a credit", [signUp()], hold(0.5), "amount_invalid"],
    ["a negative top-up", [], topUp(-5), "amount_invalid"],
    ["a negative refund", [signUp()], refund(-5), "amount_invalid"],
    ["a negative settlement", [signUp(), hold(5)], settle(-5), "amount_invalid"],
    ["a hold for an unknown account", [], hold(1), "account_unknown"],
    ["the hold of another account", [signUp(), hold(1)], hold(1, "j", 0, "b"), "hold_of_other_account"],
    ["a settlement without a hold", [signUp()], settle(1), "hold_unknown"],
    ["a settlement of a run to come", [signUp(), hold(1)], settle(1, 1), "hold_unknown"],
    [
      "a settlement of a run that is over",
      [signUp(), hold(1), release(), hold(1, "j", 1)],
      settle(1, 0),
      "run_over",
    ],
    [
      "a release of a run that is over",
      [signUp(), hold(1), release(), hold(1, "j", 1)],
      release(0),
      "run_over",
    ],
    ["a hold of a run that is over", [signUp(), hold(1), release(), hold(1, "j", 1)], hold(1), "run_over"],
    ["a settlement above the hold", [signUp(), hold(10)], settle(11), "settled_above_hold"],
    ["a settlement after the release", [signUp(), hold(10), release()], settle(10), "hold_closed"],
    ["a release after the settlement", [signUp(), hold(10), settle(10)], release(), "hold_closed"],
    ["a raise after the settlement", [signUp(), hold(10), settle(10)], raise(20), "hold_closed"],
    ["a retry of a settled job", [signUp(), hold(10), settle(10)], hold(10, "j", 1), "hold_closed"],
    ["a retry while the job runs", [signUp(), hold(10)], hold(10, "j", 1), "hold_closed"],
  ])("%s", (_name, before, operation, expected) => {
    assert.strictEqual(reasonOf(Either.getOrThrow(Either.flip(apply(after(...before), operation)))), expected)
  })
})

const accounts = FastCheck.constantFrom("a", "b")
const jobs = FastCheck.constantFrom("j1", "j2", "j3", "j4")
const runs = FastCheck.constantFrom(0, 0, 0, 1, 2)
const amounts = FastCheck.integer({ min: -1, max: 40 })
const references = FastCheck.constantFrom("1", "2", "3")
const type = <Type extends LedgerOperation["type"]>(name: Type) => FastCheck.constant(name)

const anyOperation: FastCheck.Arbitrary<LedgerOperation> = FastCheck.oneof(
  FastCheck.record({ type: type("sign_up"), account: accounts, amount: amounts }),
  FastCheck.record({
    type: type("adjust"),
    account: accounts,
    amount: FastCheck.integer({ min: -20, max: 20 }),
    reference: references,
  }),
  FastCheck.record({
    type: type("top_up"),
    account: accounts,
    amount: amounts,
    provider: FastCheck.constantFrom("manual", "card"),
    payment: references,
    kind: FastCheck.constantFrom("purchase" as const, "reload" as const),
  }),
  FastCheck.record({ type: type("refund"), account: accounts, amount: amounts, reference: references }),
  FastCheck.record({ type: type("hold"), account: accounts, job: jobs, run: runs, amount: amounts }),
  FastCheck.record({ type: type("raise"), job: jobs, run: runs, amount: amounts }),
  FastCheck.record({ type: type("settle"), job: jobs, run: runs, amount: amounts }),
  FastCheck.record({ type: type("release"), job: jobs, run: runs }),
)

/** A history in which any operation may come again at any time later, as after a lost answer. */
const anyHistory = FastCheck.array(FastCheck.tuple(anyOperation, FastCheck.boolean(), FastCheck.nat(20)), {
  minLength: 1,
  maxLength: 60,
}).map((drawn) => {
  const taken = drawn.map(([operation]) => operation)
  for (const [index, [operation, again, later]] of drawn.entries()) {
    if (again) taken.splice(index + later, 0, operation)
  }
  return taken
})

/** Every version of the book that a history passes through; refused operations leave it as it is. */
const versions = (operations: ReadonlyArray<LedgerOperation>): ReadonlyArray<LedgerBook> => {
  const passed: Array<LedgerBook> = [emptyBook]
  for (const operation of operations) {
    const before = passed.at(-1) ?? emptyBook
    passed.push(Either.getOrElse(apply(before, operation), () => before))
  }
  return passed
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

describe("laws of any history", () => {
  const history = { operations: anyHistory }
  const options = { fastCheck: { numRuns: 500 } }
  const law = (
    name: string,
    check: (books: ReadonlyArray<LedgerBook>, operations: ReadonlyArray<LedgerOperation>) => void,
  ) => it.prop(name, history, ({ operations }) => check(versions(operations), operations), options)

  law("verification finds nothing wrong in any version", (books) => {
    for (const book of books) assert.deepStrictEqual(verifyLedger(recordsOf(book)), [])
  })

  law("every transaction sums to zero, and so do all entries", (books) => {
    const entries = [...(books.at(-1)?.postings ?? [])]
    assert.strictEqual(sum(entries.map(({ amount }) => amount)), 0)
    for (const { transaction } of entries) {
      const sides = entries.filter((entry) => entry.transaction === transaction)
      assert.strictEqual(sum(sides.map(({ amount }) => amount)), 0)
      assert.strictEqual(new Set(sides.map(({ account }) => account)).size, sides.length)
    }
  })

  law("posted is the sum of the customer's entries, held that of the open holds", (books) => {
    for (const book of books) {
      for (const balance of HashMap.values(book.balances)) {
        const own = [...book.postings].filter((entry) => entry.account === customerAccount(balance.account))
        assert.strictEqual(balance.posted, sum(own.map(({ amount }) => amount)))
        const open = [...HashMap.values(book.holds)].filter(
          (one) => one.account === balance.account && one.state === "open",
        )
        assert.strictEqual(balance.held, sum(open.map(({ amount }) => amount)))
      }
    }
  })

  law("nothing but a refund takes what is available below zero, or further below", (books, operations) => {
    for (const [index, book] of books.entries()) {
      for (const balance of HashMap.values(book.balances)) {
        const before = books[index - 1] === undefined ? 0 : availableNow(books[index - 1], balance.account)
        const fell = availableOf(balance) < Math.min(0, before)
        if (fell) assert.strictEqual(operations[index - 1]?.type, "refund")
        assert.isAtLeast(availableOf(balance), balance.floor)
      }
    }
  })

  law("a settled job stays as it is, for no more than its hold", (books) => {
    for (const [index, book] of books.entries()) {
      for (const one of HashMap.values(book.holds)) {
        assert.isTrue(one.settled >= 0 && one.settled <= one.amount)
        const before =
          books[index - 1] === undefined ? undefined : viewOf(books[index - 1] ?? book).hold(one.job)
        if (before?.state === "settled") assert.deepStrictEqual(one, before)
      }
    }
  })

  law("a job is paid at most once, a payment credited at most once", (books) => {
    const seen = [...(books.at(-1)?.postings ?? [])].map(
      ({ transaction, account }) => `${transaction} ${account}`,
    )
    assert.strictEqual(new Set(seen).size, seen.length)
  })

  law("an operation that was done once changes nothing when it comes again at once", (books, operations) => {
    for (const [index, operation] of operations.entries()) {
      const done = apply(books[index] ?? emptyBook, operation)
      if (Either.isLeft(done)) continue
      const again = Either.getOrElse(apply(done.right, operation), () => done.right)
      assert.deepStrictEqual(numbers(again), numbers(done.right))
      assert.deepStrictEqual([...again.postings], [...done.right.postings])
    }
  })
})

const availableNow = (book: LedgerBook | undefined, account: string): number => {
  const balance = book === undefined ? undefined : balanceOf(book, account)
  return balance === undefined ? 0 : availableOf(balance)
}

describe("verification finds", () => {
  const records = () => {
    const { balances, holds, postings } = recordsOf(
      after(signUp(), topUp(10), hold(10), settle(8), hold(5, "k")),
    )
    return { balances: [...balances], holds: [...holds], postings: [...postings] }
  }
  type Records = ReturnType<typeof records>
  const changed = <Row>(rows: ReadonlyArray<Row>, index: number, change: Partial<Row>) =>
    rows.map((row, at) => (at === index ? { ...row, ...change } : row))

  it("nothing in a sound ledger", () => {
    assert.deepStrictEqual(verifyLedger(records()), [])
  })

  it.each<[string, (sound: Records) => Records]>([
    ["transaction_unbalanced", (sound) => ({ ...sound, postings: sound.postings.slice(1) })],
    [
      "transaction_repeated",
      (sound) => ({ ...sound, postings: [...sound.postings, ...sound.postings.slice(0, 1)] }),
    ],
    ["posted_differs", (sound) => ({ ...sound, balances: changed(sound.balances, 0, { posted: 63 }) })],
    ["held_differs", (sound) => ({ ...sound, balances: changed(sound.balances, 0, { held: 4 }) })],
    ["below_floor", (sound) => ({ ...sound, balances: changed(sound.balances, 0, { floor: 1000 }) })],
    ["floor_differs", (sound) => ({ ...sound, balances: changed(sound.balances, 0, { floor: -1 }) })],
    [
      "settled_above_hold",
      (sound) => ({ ...sound, holds: sound.holds.map((one) => ({ ...one, settled: 99 })) }),
    ],
    ["settlement_differs", (sound) => ({ ...sound, holds: [] })],
    ["balance_missing", (sound) => ({ ...sound, balances: [] })],
  ])("%s", (kind, spoil) => {
    assert.include(
      verifyLedger(spoil(records())).map((discrepancy) => discrepancy.kind),
      kind,
    )
  })
})
