import { referenceOf } from "@earmark/core/credits"
import { assert, it } from "@effect/vitest"

it.each([
  ["signup:acct_1", null],
  ["settle:tr_1", null],
  ["adjust:acct_1:welcome: again", "welcome: again"],
  ["adjust:acct_1:acct_1:welcome", "welcome"],
  ["topup:operator:acct_1:invoice 7", "invoice 7"],
  ["topup:stripe:pi_1", "stripe:pi_1"],
  ["refund:stripe:re_1", "stripe:re_1"],
] as const)("behind %s stands %s", (transaction, reference) => {
  assert.strictEqual(referenceOf({ account: "acct_1", transaction }), reference)
})
