import type { ApiKey } from "@earmark/core/jobs"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { usage } from "../../CommandFailed.js"
import { didYouMean } from "../../didYouMean.js"
import type { Page } from "../../help.js"
import { note } from "../../output.js"
import { factsOf, tableOf } from "../../table.js"
import { account, administer, andMore, cursor, json, limit, moment, show } from "./administer.js"
import { groups } from "./groups.js"

const name = Options.text("name").pipe(Options.withDescription("What the key is for."), Options.optional)

const scopes = Options.text("scopes").pipe(
  Options.withDescription(
    "What the key may do, with commas between: transcriptions:read, transcriptions:write, webhooks, billing:read, billing:write, keys. Everything when left out.",
  ),
  Options.optional,
)

const expires = Options.text("expires").pipe(
  Options.withDescription("When it stops being good: a day or an RFC 3339 time."),
  Options.optional,
)

const test = Options.boolean("test").pipe(
  Options.withDescription("A test key: scripted text, and nothing is billed."),
)

const id = Args.text({ name: "key" }).pipe(Args.withDescription("The id of the key: key_..."))

/** Scopes as they were given, each one of those there are. */
const readScopes = Effect.fnUntraced(function* (given: string | null) {
  if (given === null) return null
  const { Scope } = yield* Effect.promise(() => import("@earmark/core/jobs"))
  const known = Scope.literals
  for (const scope of given.split(",").map((each) => each.trim())) {
    if (known.some((each) => each === scope)) continue
    const hint = yield* didYouMean(scope, known)
    return yield* usage(`There is no scope "${scope}"; there are ${known.join(", ")}.${hint}`)
  }
  return given
})

const create = Command.make("create", { account, name, scopes, expires, test, json }, (options) =>
  Effect.gen(function* () {
    const made = yield* administer((all) => all.createKey, {
      account: options.account,
      name: Option.getOrNull(options.name),
      scopes: yield* readScopes(Option.getOrNull(options.scopes)),
      expires_at: Option.getOrNull(options.expires),
      test: options.test,
    })
    yield* show(made, options.json, (key) =>
      factsOf([
        ["id", key.id],
        ["name", key.name],
        ["scopes", key.scopes.join(", ")],
        ["expires", moment(key.expires_at)],
        ["key", key.key],
      ]),
    )
    yield* note("Keep the key now: it is not shown again.")
  }),
).pipe(Command.withDescription("Make an API key. Its value is shown once."))

type KeyWire = typeof ApiKey.Encoded

const stateOf = ({ revoked_at }: KeyWire): string => (revoked_at === null ? "good" : "revoked")

const list = Command.make("list", { account, limit, cursor, json }, (options) =>
  Effect.gen(function* () {
    const page = yield* administer((all) => all.listKeys, {
      account: options.account,
      limit: String(options.limit),
      cursor: Option.getOrUndefined(options.cursor),
    })
    yield* show(page, options.json, ({ data, next_cursor }) =>
      tableOf(
        [
          { head: "id", cell: (key) => key.id },
          { head: "key", cell: (key) => `${key.prefix}...${key.last4}` },
          { head: "state", cell: stateOf },
          { head: "created", cell: (key) => moment(key.created_at) },
          { head: "last used", cell: (key) => moment(key.last_used_at) },
          { head: "expires", cell: (key) => moment(key.expires_at) },
          { head: "name", cell: (key) => key.name },
        ],
        data,
      ).concat(andMore(next_cursor)),
    )
  }),
).pipe(Command.withDescription("List the keys of an account, newest first, revoked ones too."))

const revoke = Command.make("revoke", { id, account, json }, (options) =>
  Effect.gen(function* () {
    const revoked = yield* administer((all) => all.revokeKey, { account: options.account, id: options.id })
    yield* show(revoked, options.json, (key) => `${key.id} is revoked since ${moment(key.revoked_at)}.\n`)
  }),
).pipe(Command.withDescription("Revoke a key: within seconds no process takes it any more."))

export const keys = Command.make("keys").pipe(
  Command.withDescription(groups.keys),
  Command.withSubcommands([create, list, revoke]),
)

export const keysPage: Page = {
  name: "keys",
  descriptor: keys.descriptor,
  examples: ['earmark keys create --account "$ACCOUNT" --name backend'],
  children: [
    {
      name: "create",
      descriptor: create.descriptor,
      examples: [
        'earmark keys create --account "$ACCOUNT" --name backend',
        'earmark keys create --account "$ACCOUNT" --scopes transcriptions:read,webhooks --json',
      ],
      children: [],
    },
    {
      name: "list",
      descriptor: list.descriptor,
      examples: ['earmark keys list --account "$ACCOUNT"'],
      children: [],
    },
    {
      name: "revoke",
      descriptor: revoke.descriptor,
      examples: ['earmark keys revoke "$KEY_ID" --account "$ACCOUNT"'],
      children: [],
    },
  ],
}
