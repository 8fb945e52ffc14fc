import type { AccountId } from "@earmark/core/jobs"
import { ledgerCases } from "@earmark/testkit/contracts"
import { Effect } from "effect"
import { Ledger } from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, newestFirst, suiteCatches } from "./breaking.js"

const ledger = breaksOf(Ledger, ledgerCases)
const ledgerTables = breaksOfTables(ledgerCases)

suiteCatches("Ledger", [
  ledgerTables(
    "credits a payment each time it is told of it",
    ({ transactions }) => ({ transactions: { ...transactions, has: () => false } }),
    "a payment credits once",
    "a grant of the operator counts once",
    "an adjustment happens once",
    "a refund happens once",
  ),
  ledgerTables(
    "never goes below zero, not even for a refund",
    ({ balances }) => ({
      balances: keeping(balances, (row) => ({ ...row, posted: Math.max(0, row.posted), floor: 0 })),
    }),
    "a refund happens once, may go below zero",
  ),
  ledgerTables(
    "turns a debt into credit",
    ({ balances }) => ({
      balances: keeping(balances, (row, before) => ({ ...row, floor: before?.floor ?? row.floor })),
    }),
    "a refund happens once, may go below zero",
  ),
  ledger(
    "counts a grant apart from a purchase with its reference",
    ({ topUp }) => ({
      topUp: (account, payment) => topUp(account, { ...payment, payment: `${payment.payment} bought` }),
    }),
    "a grant of the operator counts once",
    "a line tells what it was for",
  ),
  ledger(
    "tells of no earlier grant",
    ({ adjust }) => ({
      adjust: (...given) => Effect.map(adjust(...given), (credited) => ({ ...credited, earlier: null })),
    }),
    "a grant of the operator counts once",
  ),
  ledger(
    "unlocks nothing",
    ({ topUp }) => ({ topUp: (account, payment) => topUp(account, { ...payment, kind: "reload" }) }),
    "a purchase unlocks, a reload does not",
    "a payment credits once",
  ),
  ledger(
    "unlocks by a reload",
    ({ topUp }) => ({ topUp: (account, payment) => topUp(account, { ...payment, kind: "purchase" }) }),
    "a purchase unlocks, a reload does not",
  ),
  ledger(
    "shows the lines of everybody",
    (whole) => {
      const seen = new Set<AccountId>()
      return {
        entries: (account, page) =>
          Effect.gen(function* () {
            seen.add(account)
            const pages = yield* Effect.forEach(seen, (each) => whole.entries(each, page))
            const [first] = pages
            return { items: pages.flatMap(({ items }) => items), next: first?.next ?? null }
          }),
        adjust: (account, amount, reference) => {
          seen.add(account)
          return whole.adjust(account, amount, reference)
        },
        balance: (account) =>
          Effect.map(whole.balance(account), (balance) => ({ ...balance, posted: balance.posted + 1 })),
      }
    },
    "the lines of an account are its own",
  ),
  ledgerTables(
    "opens a reload beside one that is being charged",
    ({ reloads, now }) => ({
      reloads: { ...reloads, filter: (fits) => reloads.filter((row) => row.nextAt <= now && fits(row)) },
    }),
    "a reload opens only when it is asked for",
  ),
  ledger(
    "opens no reload before somebody looks",
    ({ takeReload, takeDueReloads }) => {
      const seen = new Set<string>()
      return {
        takeReload: (account) =>
          Effect.tap(takeReload(account), (reload) => Effect.sync(() => seen.add(reload?.id ?? ""))),
        takeDueReloads: (limit) =>
          Effect.map(takeDueReloads(limit), (due) => due.filter(({ id }) => seen.has(id))),
      }
    },
    "the hold that takes what is available below",
    "a batch, a raised hold, a retry and a correction",
  ),
  ledgerTables(
    "opens a reload whatever is left",
    ({ reloadSettings }) => ({
      reloadSettings: keeping(reloadSettings, (row) => ({ ...row, threshold: 1_000_000 })),
    }),
    "the hold that takes what is available below",
    "a reload opens only when it is asked for",
  ),
  ledgerTables(
    "lets a reload be charged by two at once",
    ({ reloads, now }) => ({ reloads: keeping(reloads, (row) => ({ ...row, nextAt: now })) }),
    "an open reload is due at its time",
    "a reload opens only when it is asked for",
  ),
  ledger(
    "forgets to top up",
    ({ recordReload }) => ({
      recordReload: (id, outcome) => recordReload(id, { ...outcome, state: "processing" }),
    }),
    "a reload that succeeded tops up once",
  ),
  ledger(
    "tops a reload up under a key of its own",
    ({ recordReload }) => ({
      recordReload: (id, outcome) => recordReload(id, { ...outcome, providerReference: null }),
    }),
    "a reload that succeeded tops up once",
  ),
  ledger(
    "finds every open reload due",
    ({ recordReload }) => ({ recordReload: (id, outcome) => recordReload(id, { ...outcome, nextAt: 0 }) }),
    "an open reload is due at its time",
  ),
  ledgerTables(
    "tries again right after a decline",
    ({ reloads }) => ({ reloads: keeping(reloads, (row) => ({ ...row, declinedAt: null })) }),
    "after a decline no reload opens for an hour",
  ),
  ledgerTables(
    "knows no monthly cap",
    ({ reloadSettings }) => ({
      reloadSettings: keeping(reloadSettings, (row) => ({ ...row, monthlyCap: 1_000_000 })),
    }),
    "no more is bought in a month than allowed",
  ),
  ledger(
    "has one order",
    ({ entries }) => ({ entries: (account, page) => entries(account, newestFirst(page)) }),
    "each line of an account is listed oldest first",
  ),
  ledger(
    "leaves out the first moment of a span of time",
    ({ entries }) => ({
      entries: (account, { from, ...filter }) =>
        entries(account, { ...filter, ...(from !== undefined && { from: from + 1 }) }),
    }),
    "the lines of an account are narrowed to a span of time and to a kind",
  ),
  ledger(
    "takes every kind of line for the one that is asked for",
    ({ entries }) => ({ entries: (account, { kind: _, ...filter }) => entries(account, filter) }),
    "the lines of an account are narrowed to a span of time and to a kind",
  ),
])
