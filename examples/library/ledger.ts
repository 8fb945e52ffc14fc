import {
  type Balance,
  decide,
  type Hold,
  type LedgerOperation,
  type Posting,
  priceOf,
  verifyLedger,
} from "@earmark/core/credits"
import { Either } from "effect"

// #region store
/** Your store: three tables. Here they are in memory; in a database each `run` is one transaction. */
const balances = new Map<string, Balance>()
const holds = new Map<string, Hold>()
const postings: Array<Posting> = []

const view = {
  balance: (account: string) => balances.get(account),
  hold: (job: string) => holds.get(job),
  hasTransaction: (transaction: string) => postings.some((posting) => posting.transaction === transaction),
}

const run = (operation: LedgerOperation) => {
  const decision = decide(view, operation)
  if (Either.isLeft(decision)) return decision.left
  const { balance, hold, postings: written } = decision.right
  if (balance !== undefined) balances.set(balance.account, balance)
  if (hold !== undefined) holds.set(hold.job, hold)
  postings.push(...written)
  return undefined
}

const show = (what: string) => {
  const { posted = 0, held = 0 } = balances.get("acme") ?? {}
  console.log(`${what}: ${posted} posted, ${held} held, ${posted - held} available`)
}
// #endregion

// #region job
const amount = priceOf({ seconds: 41 * 60 + 7, diarize: false })
run({ type: "sign_up", account: "acme", amount: 60 })
run({ type: "hold", account: "acme", job: "tr_1", run: 1, amount })
show("while the job runs")
run({ type: "settle", job: "tr_1", run: 1, amount: 40 })
show("when it is done")
// #endregion

// #region repeats
run({ type: "settle", job: "tr_1", run: 1, amount: 40 })
run({ type: "sign_up", account: "acme", amount: 60 })
show("after every message came twice")
// #endregion

// #region refused
const refusal = run({ type: "hold", account: "acme", job: "tr_2", run: 1, amount: 21 })
if (refusal?._tag === "OutOfCredits") console.log(`refused: ${refusal.message}`)
// #endregion

// #region refund
run({ type: "refund", account: "acme", amount: 50, reference: "dispute-7" })
show("after a dispute")
run({
  type: "top_up",
  account: "acme",
  amount: 100,
  provider: "stripe",
  payment: "pi_1",
  kind: "purchase",
})
show("after a purchase")
// #endregion

// #region verify
const records = { balances: balances.values(), holds: holds.values(), postings }
console.log("discrepancies:", verifyLedger(records).length)
balances.set("acme", { account: "acme", posted: 999, held: 0, floor: 0 })
for (const found of verifyLedger({ balances: balances.values(), holds: holds.values(), postings })) {
  console.log(`${found.kind} of ${found.subject}: ${found.actual}, expected ${found.expected}`)
}
// #endregion
