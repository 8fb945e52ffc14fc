import type { ApiKey } from "@earmark/core/wire"
import { Args, Command, Options } from "@effect/cli"
import { DateTime, Effect, Option } from "effect"
import { usage } from "../../CommandFailed.js"
import { didYouMean } from "../../didYouMean.js"
import type { Page } from "../../help.js"
import { note } from "../../output.js"
import { ask } from "../../remote/ask.js"
import { factsOf, tableOf } from "../../table.js"
import { where } from "../remote/options.js"
import { administer, andMore, anyAccount, json, moment, pageOf, paging, say, show } from "./administer.js"
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

/** Null when nobody said. */
const readScopes = Effect.fnUntraced(function* (given: Option.Option<string>) {
  if (Option.isNone(given)) return null
  const { Scope } = yield* Effect.promise(() => import("@earmark/core/wire"))
  const known = Scope.literals
  const names = given.value.split(",").map((each) => each.trim())
  for (const name of names) {
    if (known.some((scope) => scope === name)) continue
    const hint = yield* didYouMean(name, known)
    return yield* usage(`There is no scope "${name}"; there are ${known.join(", ")}.${hint}`)
  }
  return known.filter((scope) => names.includes(scope))
})

/** When a key ends, as it was typed; null when nobody said. One that is over is refused before anybody is asked. */
const readExpires = Effect.fnUntraced(function* (given: Option.Option<string>) {
  if (Option.isNone(given)) return null
  const { CreateKey, decodeRequest } = yield* Effect.promise(() => import("@earmark/core/wire"))
  const read = decodeRequest(CreateKey)({ expires_at: given.value })
  const { expiresAt } = yield* Effect.mapError(read, () =>
    usage(
      `--expires is a day such as 2030-01-31, or an RFC 3339 time such as 2030-01-31T08:00:00Z, and not "${given.value}".`,
    ),
  )
  if (expiresAt !== undefined && DateTime.lessThanOrEqualTo(expiresAt, yield* DateTime.now))
    return yield* usage(`--expires ${given.value} has passed already: such a key would open nothing.`)
  return given.value
})

const create = Command.make(
  "create",
  { account: anyAccount, ...where, name, scopes, expires, test, json },
  (options) =>
    Effect.gen(function* () {
      const scopes = yield* readScopes(options.scopes)
      const wanted = {
        name: Option.getOrNull(options.name),
        expires_at: yield* readExpires(options.expires),
      }
      if (options.test && Option.isNone(options.account))
        return yield* usage("--test is for operators beside the store: name the --account too.")
      const made = yield* Option.match(options.account, {
        onSome: (account) =>
          administer((all) => all.createKey, {
            ...wanted,
            account,
            scopes: scopes?.join(",") ?? null,
            test: options.test,
          }),
        onNone: () =>
          ask(options, (client, { signal }) => client.keys.create({ ...wanted, scopes }, { signal })),
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

const list = Command.make("list", { account: anyAccount, ...where, ...paging, json }, (options) =>
  Effect.gen(function* () {
    const page = yield* pageOf(options, ({ limit, cursor }) =>
      Option.match(options.account, {
        onSome: (account) => administer((all) => all.listKeys, { account, limit: String(limit), cursor }),
        onNone: () =>
          ask(options, async (client, { signal }) => client.keys.list({ limit, cursor }, { signal })),
      }),
    )
    yield* show(
      page,
      options.json,
      ({ data }) =>
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
        ),
      andMore,
    )
  }),
).pipe(Command.withDescription("List the keys of an account, newest first, revoked ones too."))

const revoke = Command.make("revoke", { id, account: anyAccount, ...where, json }, (options) =>
  Effect.gen(function* () {
    const { id } = options
    if (Option.isNone(options.account)) {
      yield* ask(options, (client, { signal }) => client.keys.revoke(id, { signal }))
      return yield* say({ id, revoked: true }, options.json, () => `${id} is revoked.`)
    }
    const account = options.account.value
    const revoked = yield* administer((all) => all.revokeKey, { account, id })
    return yield* say(revoked, options.json, (key) => `${key.id} is revoked since ${moment(key.revoked_at)}.`)
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
        'earmark keys create --account "$ACCOUNT" --scopes webhooks --json',
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
