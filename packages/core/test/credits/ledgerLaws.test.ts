import {
  apply,
  availableOf,
  customerAccount,
  emptyBook,
  type LedgerBook,
  type LedgerOperation,
  recordsOf,
  verifyLedger,
  viewOf,
} from "@earmark/core/credits"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, HashMap } from "effect"
import { after, balanceOf, hold, numbers, settle, signUp, topUp } from "./operations.js"

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
