import { randomUUID } from "node:crypto"
import type { Credits } from "@earmark/core/wire"
import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { failed } from "../../CommandFailed.js"
import type { Page } from "../../help.js"
import { ask } from "../../remote/ask.js"
import { factsOf, tableOf } from "../../table.js"
import { counted } from "../../transcribe/figures.js"
import { where } from "../remote/options.js"
import { account, administer, andMore, anyAccount, json, moment, pageOf, paging, show } from "./administer.js"
import { groups } from "./groups.js"
import { confirm, purchasePages, purchases } from "./purchases.js"

const minutes = Options.integer("minutes").pipe(
  Options.withDescription("How many to add; a negative number takes them away."),
)

const purchase = Options.boolean("purchase").pipe(
  Options.withDescription("Counts as a one-time purchase, and unlocks what one unlocks."),
)

const reference = Options.text("reference").pipe(
  Options.withDescription("A grant with the same reference counts once for the account."),
  Options.optional,
)

type CreditsWire = Omit<typeof Credits.Encoded, "minutes">

const facts = (credits: CreditsWire) =>
  [
    ["balance", credits.balance],
    ["held", credits.held],
    ["available", credits.available],
    ["paid", credits.is_paid ? "yes" : "no"],
  ] as const

const grant = Command.make("grant", { account, minutes, purchase, reference, json }, (options) =>
  Effect.gen(function* () {
    const granted = yield* administer((all) => all.grantCredits, {
      account: options.account,
      minutes: options.minutes,
      purchase: options.purchase,
      reference: Option.getOrElse(options.reference, () => randomUUID()),
    })
    yield* show(granted, options.json, (credits) =>
      factsOf([...facts(credits), ["reference", credits.reference]]),
    )
  }),
).pipe(Command.withDescription("Give minutes to an account, or take them back."))

const showOne = Command.make("show", { account: anyAccount, ...where, json }, (options) =>
  Effect.gen(function* () {
    const found: CreditsWire = yield* Option.match(options.account, {
      onSome: (account) => administer((all) => all.showCredits, { account }),
      onNone: () => ask(options, (client, { signal }) => client.credits.get({ signal })),
    })
    yield* show(found, options.json, (credits) => factsOf(facts(credits)))
  }),
).pipe(Command.withDescription("Show what an account has."))

/** A service does not tell the references of its operator. */
const purposeOf = (entry: {
  readonly transcription_id: string | null
  readonly reference?: string | null
}): string | null => entry.transcription_id ?? entry.reference ?? null

const entries = Command.make("entries", { account: anyAccount, ...where, ...paging, json }, (options) =>
  Effect.gen(function* () {
    const page = yield* pageOf(options, ({ limit, cursor }) =>
      Option.match(options.account, {
        onSome: (account) => administer((all) => all.listEntries, { account, limit: String(limit), cursor }),
        onNone: () =>
          ask(options, async (client, { signal }) => client.credits.entries({ limit, cursor }, { signal })),
      }),
    )
    yield* show(
      page,
      options.json,
      ({ data }) =>
        tableOf(
          [
            { head: "time", cell: (entry) => moment(entry.created_at) },
            { head: "minutes", cell: (entry) => entry.amount },
            { head: "kind", cell: (entry) => entry.kind },
            { head: "for", cell: purposeOf },
          ],
          data,
        ),
      andMore,
    )
  }),
).pipe(Command.withDescription("List the ledger of an account, newest first; all lines sum to its balance."))

const verify = Command.make("verify", { json }, (options) =>
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
  }),
).pipe(
  Command.withDescription("Recompute every balance and hold from the ledger; exit code 1 when one differs."),
)

export const credits = Command.make("credits").pipe(
  Command.withDescription(groups.credits),
  Command.withSubcommands([grant, showOne, entries, purchases, confirm, verify]),
)

export const creditsPage: Page = {
  name: "credits",
  descriptor: credits.descriptor,
  examples: ['earmark credits grant --account "$ACCOUNT" --minutes 100', "earmark credits verify"],
  children: [
    {
      name: "grant",
      descriptor: grant.descriptor,
      examples: [
        'earmark credits grant --account "$ACCOUNT" --minutes 100 --purchase',
        'earmark credits grant --account "$ACCOUNT" --minutes=-5 --reference ticket-42',
      ],
      children: [],
    },
    {
      name: "show",
      descriptor: showOne.descriptor,
      examples: ["earmark credits show", 'earmark credits show --account "$ACCOUNT"'],
      children: [],
    },
    {
      name: "entries",
      descriptor: entries.descriptor,
      examples: ['earmark credits entries --account "$ACCOUNT" --json'],
      children: [],
    },
    ...purchasePages,
    {
      name: "verify",
      descriptor: verify.descriptor,
      examples: ["earmark credits verify", "earmark credits verify --json"],
      children: [],
    },
  ],
}
