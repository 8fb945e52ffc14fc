import type { Account } from "@earmark/core/wire"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { Page } from "../../help.js"
import { factsOf, tableOf } from "../../table.js"
import { administer, andMore, json, moment, pageOf, paging, say, show } from "./administer.js"
import { groups } from "./groups.js"

const name = Options.text("name").pipe(
  Options.withDescription("How the account is called; its email address when left out."),
  Options.optional,
)

const email = Options.text("email").pipe(
  Options.withDescription("The email address of whoever it belongs to."),
  Options.optional,
)

const id = Args.text({ name: "account" }).pipe(Args.withDescription("The id of the account: acct_..."))

type AccountWire = typeof Account.Encoded

const facts = (account: AccountWire) =>
  [
    ["account", account.id],
    ["name", account.name],
    ["email", account.email],
    ["paid", account.is_paid ? "yes" : "no"],
    ["created", moment(account.created_at)],
  ] as const

const create = Command.make("create", { name, email, json }, (options) =>
  Effect.gen(function* () {
    const made = yield* administer((all) => all.createAccount, {
      name: Option.getOrNull(options.name),
      email: Option.getOrNull(options.email),
    })
    yield* show(made, options.json, (account) => factsOf(facts(account)))
  }),
).pipe(Command.withDescription("Make an account, with the free minutes of every new one."))

const list = Command.make("list", { ...paging, json }, (options) =>
  Effect.gen(function* () {
    const page = yield* pageOf(options, ({ limit, cursor }) =>
      administer((all) => all.listAccounts, { limit: String(limit), cursor }),
    )
    yield* show(
      page,
      options.json,
      ({ data }) =>
        tableOf(
          [
            { head: "account", cell: (account) => account.id },
            { head: "created", cell: (account) => moment(account.created_at) },
            { head: "paid", cell: (account) => (account.is_paid ? "yes" : "no") },
            { head: "name", cell: (account) => account.name },
            { head: "email", cell: (account) => account.email },
          ],
          data,
        ),
      andMore,
    )
  }),
).pipe(Command.withDescription("List the accounts, newest first."))

const showOne = Command.make("show", { id, json }, (options) =>
  Effect.gen(function* () {
    const found = yield* administer((all) => all.showAccount, { account: options.id })
    yield* show(found, options.json, (account) =>
      factsOf([
        ...facts(account),
        ["balance", account.credits.balance],
        ["held", account.credits.held],
        ["available", account.credits.available],
      ]),
    )
  }),
).pipe(Command.withDescription("Show an account and its credits."))

const limitOption = (name: string, sentence: string) =>
  Options.text(name).pipe(
    Options.withDescription(`${sentence}; none leaves it to the settings of the service.`),
    Options.optional,
  )

const mediaMinutes = limitOption("media-minutes", "The longest media, in minutes")
const uploadBytes = limitOption("upload-bytes", "The largest upload, in bytes")
const waitingJobs = limitOption("waiting-jobs", "The most jobs that wait at a time")

const limits = Command.make("limits", { id, mediaMinutes, uploadBytes, waitingJobs, json }, (options) =>
  Effect.gen(function* () {
    const found = yield* administer((all) => all.setLimits, {
      account: options.id,
      media_minutes: Option.getOrUndefined(options.mediaMinutes),
      upload_bytes: Option.getOrUndefined(options.uploadBytes),
      waiting_jobs: Option.getOrUndefined(options.waitingJobs),
    })
    yield* show(found, options.json, (account) =>
      factsOf([
        ["account", account.id],
        ["media minutes", account.limits.max_media_minutes ?? "none"],
        ["upload bytes", account.limits.max_upload_bytes ?? "none"],
        ["waiting jobs", account.limits.max_waiting_jobs ?? "none"],
      ]),
    )
  }),
).pipe(Command.withDescription("Show the limits of an account's plan, and set those that are named."))

const revoked = Options.text("revoke").pipe(
  Options.withDescription("Put this one out, by the id in the list."),
  Options.optional,
)

const grants = Command.make("grants", { id, revoked, ...paging, json }, (options) =>
  Effect.gen(function* () {
    if (Option.isSome(options.revoked)) {
      const gone = yield* administer((all) => all.revokeGrant, {
        account: options.id,
        id: options.revoked.value,
      })
      return yield* say(gone, options.json, (grant) => `${grant.id} is revoked: its tokens open nothing now.`)
    }
    const page = yield* pageOf(options, ({ limit, cursor }) =>
      administer((all) => all.listGrants, { account: options.id, limit: String(limit), cursor }),
    )
    yield* show(
      page,
      options.json,
      ({ data }) =>
        tableOf(
          [
            { head: "id", cell: (grant) => grant.id },
            { head: "app", cell: (grant) => grant.name ?? grant.client },
            { head: "granted", cell: (grant) => moment(grant.granted_at) },
            { head: "until", cell: (grant) => moment(grant.expires_at) },
            { head: "scopes", cell: (grant) => grant.scopes.join(", ") },
          ],
          data,
        ),
      andMore,
    )
  }),
).pipe(Command.withDescription("List the apps that an account has let in, newest first, or put one out."))

const issuer = Options.text("issuer").pipe(
  Options.withDescription("Where they sign in: the issuer, as its tokens have it."),
)

const subject = Options.text("subject").pipe(
  Options.withDescription("Who they are there: the subject (sub) of their tokens."),
)

const link = Command.make("link", { id, issuer, subject, json }, (options) =>
  Effect.gen(function* () {
    const linked = yield* administer((all) => all.linkAccount, {
      account: options.id,
      issuer: options.issuer,
      subject: options.subject,
    })
    yield* say(linked, options.json, ({ account }) => `They sign in to ${account} now.`)
  }),
).pipe(Command.withDescription("Let somebody who signs in elsewhere have an account."))

const unlink = Command.make("unlink", { issuer, subject, json }, (options) =>
  Effect.gen(function* () {
    const done = yield* administer((all) => all.unlinkAccount, {
      issuer: options.issuer,
      subject: options.subject,
    })
    yield* say(done, options.json, ({ unlinked }) =>
      unlinked ? "They have no account any more. Apps that were let in stay." : "They had no account.",
    )
  }),
).pipe(Command.withDescription("Take the account from somebody who signs in elsewhere."))

export const accounts = Command.make("accounts").pipe(
  Command.withDescription(groups.accounts),
  Command.withSubcommands([create, list, showOne, limits, grants, link, unlink]),
)

export const accountsPage: Page = {
  name: "accounts",
  descriptor: accounts.descriptor,
  examples: ["earmark accounts create --email ann@example.org", "earmark accounts list --json"],
  children: [
    {
      name: "create",
      descriptor: create.descriptor,
      examples: [
        "earmark accounts create --email ann@example.org",
        'earmark accounts create --name "Ann Marsh" --json',
      ],
      children: [],
    },
    {
      name: "list",
      descriptor: list.descriptor,
      examples: ["earmark accounts list", "earmark accounts list --limit 100 --json"],
      children: [],
    },
    {
      name: "show",
      descriptor: showOne.descriptor,
      examples: ['earmark accounts show "$ACCOUNT"'],
      children: [],
    },
    {
      name: "limits",
      descriptor: limits.descriptor,
      examples: [
        'earmark accounts limits "$ACCOUNT"',
        'earmark accounts limits "$ACCOUNT" --media-minutes 120 --waiting-jobs none',
      ],
      children: [],
    },
    {
      name: "grants",
      descriptor: grants.descriptor,
      examples: [
        'earmark accounts grants "$ACCOUNT"',
        'earmark accounts grants "$ACCOUNT" --revoke "$GRANT"',
      ],
      children: [],
    },
    {
      name: "link",
      descriptor: link.descriptor,
      examples: ['earmark accounts link "$ACCOUNT" --issuer https://id.example.org --subject 42'],
      children: [],
    },
    {
      name: "unlink",
      descriptor: unlink.descriptor,
      examples: ["earmark accounts unlink --issuer https://id.example.org --subject 42"],
      children: [],
    },
  ],
}
