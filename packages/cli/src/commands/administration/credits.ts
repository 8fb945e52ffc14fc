import { randomUUID } from "node:crypto"
import type { Credits } from "@earmark/core/wire"
import { Effect } from "effect"
import { failed } from "../../CommandFailed.js"
import type { Given } from "../../grammar/Grammar.js"
import type { credits } from "../../grammar/operating.js"
import { note } from "../../output.js"
import { ask } from "../../remote/target.js"
import { tableOf } from "../../table.js"
import { counted } from "../../transcribe/figures.js"
import { administer, forAccount, listed, moment, show, showFacts } from "./administer.js"

/** As the store and the client of a server both say it. */
type CreditsWire = Omit<typeof Credits.Encoded, "minutes" | "billing"> & {
  readonly billing?: boolean | undefined
}

/** Null also for an older server, which does not say whether it charges. */
export const noBillingOf = ({ billing }: Pick<CreditsWire, "billing">): string | null =>
  billing === false ? "This server has billing turned off: transcriptions cost no credits." : null

const facts = (credits: CreditsWire) =>
  [
    ["balance", credits.balance],
    ["held", credits.held],
    ["available", credits.available],
    ["paid", credits.is_paid ? "yes" : "no"],
  ] as const

/** A repeated grant adds nothing. One that is not a purchase stays so when it is repeated as one. */
const countedBefore = (
  { added, reference, is_paid }: { added?: boolean | undefined; reference: string; is_paid: boolean },
  asPurchase: boolean,
): string | null => {
  if (added !== false) return null
  return asPurchase && !is_paid
    ? `${reference} was counted before, without --purchase: nothing was added or unlocked.`
    : `${reference} was counted before: nothing was added.`
}

export const grant = (options: Given<typeof credits.commands.grant>) =>
  Effect.gen(function* () {
    const granted = yield* administer((all) => all.grantCredits, {
      account: options.account,
      minutes: options.minutes,
      purchase: options.purchase,
      reference: options.reference ?? randomUUID(),
    })
    yield* showFacts(granted, options.json, (credits) => [
      ...facts(credits),
      ["reference", credits.reference],
    ])
    const before = countedBefore(granted, options.purchase)
    if (before !== null) yield* note(before)
  })

const showOne = (options: Given<typeof credits.commands.show>) =>
  Effect.gen(function* () {
    const found: CreditsWire = yield* forAccount(
      options,
      (account) => administer((all) => all.showCredits, { account }),
      () => ask(options, (client, call) => client.credits.get(call)),
    )
    yield* showFacts(found, options.json, facts, noBillingOf)
  })

/** A server does not tell the references of its operator. */
const purposeOf = (entry: {
  readonly transcription_id: string | null
  readonly reference?: string | null
}): string | null => entry.transcription_id ?? entry.reference ?? null

export const entries = (options: Given<typeof credits.commands.entries>) =>
  Effect.suspend(() => {
    const narrowed = { from: options.from, to: options.to, kind: options.kind }
    return listed(
      options,
      ({ limit, cursor }) =>
        forAccount(
          options,
          (account) =>
            administer((all) => all.listEntries, { account, limit: String(limit), cursor, ...narrowed }),
          () =>
            ask(options, async (client, call) =>
              client.credits.entries({ limit, cursor, ...narrowed }, call),
            ),
        ),
      () => [
        { head: "time", cell: (entry) => moment(entry.created_at) },
        { head: "minutes", cell: (entry) => entry.amount },
        { head: "kind", cell: (entry) => entry.kind },
        { head: "for", cell: purposeOf },
      ],
      "The ledger has no entries.",
      { "--kind": options.kind, "--from": options.from, "--to": options.to },
    )
  })

export const verify = (options: Given<typeof credits.commands.verify>) =>
  Effect.gen(function* () {
    const verdict = yield* administer((all) => all.verifyCredits, {})
    const { ok, total, findings } = verdict
    yield* show(verdict, options.json, () =>
      ok
        ? "Every balance, hold and entry agrees.\n"
        : tableOf(
            [
              { head: "finding", cell: (finding) => finding.kind },
              { head: "of", cell: (finding) => finding.subject },
              { head: "expected", cell: (finding) => finding.expected },
              { head: "is", cell: (finding) => finding.actual },
            ],
            findings,
          ),
    )
    if (!ok) {
      return yield* failed(
        `The ledger has ${counted(total, "number")} that its entries and holds do not explain. The list names them.`,
      )
    }
  })

export { confirm, dismiss, purchases } from "./purchases.js"
export { showOne as show }
