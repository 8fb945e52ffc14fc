import type { Account } from "@earmark/core/wire"
import { Effect } from "effect"
import { usage } from "../../CommandFailed.js"
import type { Given } from "../../grammar/Grammar.js"
import type { accounts } from "../../grammar/operating.js"
import { administer, listed, moment, say, showFacts } from "./administer.js"

type AccountWire = typeof Account.Encoded

const facts = (account: AccountWire) =>
  [
    ["account", account.id],
    ["name", account.name],
    ["email", account.email],
    ["paid", account.is_paid ? "yes" : "no"],
    ["created", moment(account.created_at)],
  ] as const

export const create = (options: Given<typeof accounts.commands.create>) =>
  Effect.gen(function* () {
    if (options.name === undefined && options.email === undefined)
      return yield* usage("earmark accounts create needs --name or --email.")
    const made = yield* administer((all) => all.createAccount, {
      name: options.name ?? null,
      email: options.email ?? null,
    })
    return yield* showFacts(made, options.json, facts)
  })

export const list = (options: Given<typeof accounts.commands.list>) =>
  listed(
    options,
    ({ limit, cursor }) => administer((all) => all.listAccounts, { limit: String(limit), cursor }),
    () => [
      { head: "account", cell: (account) => account.id },
      { head: "created", cell: (account) => moment(account.created_at) },
      { head: "paid", cell: (account) => (account.is_paid ? "yes" : "no") },
      { head: "name", cell: (account) => account.name },
      { head: "email", cell: (account) => account.email },
    ],
    "There are no accounts.",
  )

const showOne = (options: Given<typeof accounts.commands.show>) =>
  Effect.gen(function* () {
    const found = yield* administer((all) => all.showAccount, { account: options.id })
    yield* showFacts(found, options.json, (account) => [
      ...facts(account),
      ["balance", account.credits.balance],
      ["held", account.credits.held],
      ["available", account.credits.available],
    ])
  })

export const rename = ({ id, name, json }: Given<typeof accounts.commands.rename>) =>
  Effect.flatMap(
    administer((all) => all.renameAccount, { account: id, name }),
    (renamed) => showFacts(renamed, json, facts),
  )

export const limits = (options: Given<typeof accounts.commands.limits>) =>
  Effect.gen(function* () {
    const found = yield* administer((all) => all.setLimits, {
      account: options.id,
      media_minutes: options.mediaMinutes,
      upload_bytes: options.uploadBytes,
      waiting_jobs: options.waitingJobs,
    })
    yield* showFacts(found, options.json, (account) => [
      ["account", account.id],
      ["media minutes", account.limits.max_media_minutes ?? "none"],
      ["upload bytes", account.limits.max_upload_bytes ?? "none"],
      ["waiting jobs", account.limits.max_waiting_jobs ?? "none"],
    ])
  })

export const grants = (options: Given<typeof accounts.commands.grants>) =>
  Effect.gen(function* () {
    if (options.revoke !== undefined) {
      const gone = yield* administer((all) => all.revokeGrant, {
        account: options.id,
        id: options.revoke,
      })
      return yield* say(gone, options.json, (grant) => `${grant.id} is revoked: its tokens open nothing now.`)
    }
    yield* listed(
      options,
      ({ limit, cursor }) =>
        administer((all) => all.listGrants, { account: options.id, limit: String(limit), cursor }),
      () => [
        { head: "id", cell: (grant) => grant.id },
        { head: "app", cell: (grant) => grant.name ?? grant.client },
        { head: "granted", cell: (grant) => moment(grant.granted_at) },
        { head: "until", cell: (grant) => moment(grant.expires_at) },
        { head: "scopes", cell: (grant) => grant.scopes.join(", ") },
      ],
      "The account has let no app in.",
    )
  })

export const link = (options: Given<typeof accounts.commands.link>) =>
  Effect.gen(function* () {
    const linked = yield* administer((all) => all.linkAccount, {
      account: options.id,
      issuer: options.issuer,
      subject: options.subject,
    })
    yield* say(linked, options.json, ({ account }) => `They sign in to ${account} now.`)
  })

export const unlink = (options: Given<typeof accounts.commands.unlink>) =>
  Effect.gen(function* () {
    const done = yield* administer((all) => all.unlinkAccount, {
      issuer: options.issuer,
      subject: options.subject,
    })
    yield* say(done, options.json, ({ unlinked }) =>
      unlinked ? "They have no account any more. Apps that were let in stay." : "They had no account.",
    )
  })

export { showOne as show }
