import {
  apply,
  type LedgerOperation,
  type LedgerRefusal,
  recordsOf,
  verifyLedger,
} from "@earmark/core/credits"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { ACCOUNT, after, hold, numbers, settle, signUp, topUp } from "./operations.js"

const raise = (amount: number, run = 0): LedgerOperation => ({ type: "raise", job: "j", run, amount })
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
