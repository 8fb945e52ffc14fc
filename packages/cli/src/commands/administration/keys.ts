import { suggestion } from "@earmark/core/text"
import { type ApiKey, CreateKey, decodeRequest, Scope } from "@earmark/core/wire"
import { DateTime, Effect, Redacted } from "effect"
import { usage } from "../../CommandFailed.js"
import { canAsk, requireConsent } from "../../consent.js"
import type { Given } from "../../grammar/Grammar.js"
import type { keys } from "../../grammar/operating.js"
import { note } from "../../output.js"
import { askTarget } from "../../remote/ask.js"
import { ask, type Target, targetOf } from "../../remote/target.js"
import { counted } from "../../transcribe/figures.js"
import { administer, forAccount, listed, moment, say, showFacts } from "./administer.js"

/** Null when nobody said. */
const readScopes = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) return null
  const known = Scope.literals
  const names = given.split(",").map((each) => each.trim())
  for (const name of names) {
    if (known.some((scope) => scope === name)) continue
    const hint = suggestion(name, known)
    return yield* usage(`There is no scope "${name}"; there are ${known.join(", ")}.${hint}`)
  }
  return known.filter((scope) => names.includes(scope))
})

/** When a key ends, as it was typed; null when nobody said. One that is over is refused before anybody is asked. */
const readExpires = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) return null
  const read = decodeRequest(CreateKey)({ expires_at: given })
  const { expiresAt } = yield* Effect.mapError(read, () =>
    usage(
      `--expires is a day such as 2030-01-31, or an RFC 3339 time such as 2030-01-31T08:00:00Z, and not "${given}".`,
    ),
  )
  if (expiresAt !== undefined && DateTime.lessThanOrEqualTo(expiresAt, yield* DateTime.now))
    return yield* usage(`--expires ${given} has passed already: such a key would open nothing.`)
  return given
})

type KeyWire = typeof ApiKey.Encoded

const limitOf = ({ monthly_credits }: Pick<KeyWire, "monthly_credits">): string | null =>
  monthly_credits === null ? null : `${counted(monthly_credits, "credit")} a month`

export const create = (options: Given<typeof keys.commands.create>) =>
  Effect.gen(function* () {
    const scopes = yield* readScopes(options.scopes)
    const wanted = {
      name: options.name ?? null,
      expires_at: yield* readExpires(options.expires),
      monthly_credits: options.monthlyCredits ?? null,
    }
    if (options.test && options.account === undefined)
      return yield* usage("--test is for operators beside the store: name the --account too.")
    const made = yield* forAccount(
      options,
      (account) =>
        administer((all) => all.createKey, {
          ...wanted,
          account,
          scopes: scopes?.join(",") ?? null,
          test: options.test,
        }),
      () => ask(options, (client, call) => client.keys.create({ ...wanted, scopes }, call)),
    )
    yield* showFacts(made, options.json, (key) => [
      ["id", key.id],
      ["name", key.name],
      ["scopes", key.scopes.join(", ")],
      ["expires", moment(key.expires_at)],
      ["limit", limitOf(key)],
      ["key", key.key],
    ])
    yield* note("Keep the key now: it is not shown again.")
  })

const stateOf = ({ revoked_at }: KeyWire): string => (revoked_at === null ? "good" : "revoked")

/** The credits of this month, and the limit where there is one. */
const spendingOf = ({ monthly_credits, monthly_credits_used }: KeyWire): string =>
  monthly_credits === null ? `${monthly_credits_used}` : `${monthly_credits_used} of ${monthly_credits}`

export const list = (options: Given<typeof keys.commands.list>) =>
  listed(
    options,
    ({ limit, cursor }) =>
      forAccount(
        options,
        (account) => administer((all) => all.listKeys, { account, limit: String(limit), cursor }),
        () => ask(options, async (client, call) => client.keys.list({ limit, cursor }, call)),
      ),
    () => [
      { head: "id", cell: (key) => key.id },
      { head: "key", cell: (key) => `${key.prefix}...${key.last4}` },
      { head: "state", cell: stateOf },
      { head: "created", cell: (key) => moment(key.created_at) },
      { head: "last used", cell: (key) => moment(key.last_used_at) },
      { head: "expires", cell: (key) => moment(key.expires_at) },
      { head: "credits this month", cell: spendingOf },
      { head: "name", cell: (key) => key.name },
    ],
    "There are no keys.",
  )

/** Null for `none`; undefined when nobody said. */
const textOrNull = (given: string | undefined): string | null | undefined => (given === "none" ? null : given)

const readLimit = (given: string | undefined) => {
  const text = textOrNull(given)
  if (text === null || text === undefined) return Effect.succeed(text)
  return /^\d{1,15}$/.test(text)
    ? Effect.succeed(Number(text))
    : usage(`--monthly-credits needs a whole number, or none, not "${text}".`)
}

export const edit = (options: Given<typeof keys.commands.edit>) =>
  Effect.gen(function* () {
    const { id } = options
    const name = textOrNull(options.name)
    const limit = yield* readLimit(options.monthlyCredits)
    const patch = {
      ...(name !== undefined && { name }),
      ...(limit !== undefined && { monthly_credits: limit }),
    }
    if (Object.keys(patch).length === 0)
      return yield* usage("Say what changes: --name, --monthly-credits, or both.")
    const key = yield* forAccount(
      options,
      (account) => administer((all) => all.updateKey, { account, id, ...patch }),
      () => ask(options, (client, call) => client.keys.update(id, patch, call)),
    )
    yield* showFacts(key, options.json, (each) => [
      ["id", each.id],
      ["name", each.name],
      ["limit", limitOf(each)],
      ["used this month", `${each.monthly_credits_used} credits`],
    ])
  })

/** Whether a listed key is the one that is used. A list shows its beginning and its end. */
const isOf = ({ prefix, last4 }: KeyWire, { apiKey }: Target): boolean => {
  const value = Redacted.value(apiKey)
  return value.startsWith(prefix) && value.endsWith(last4)
}

/** Whether an id is that of the key that is used. */
const isInUse = (target: Target, id: string) =>
  askTarget(target, async (client, call) => {
    for await (const key of client.keys.list({ limit: 100 }, call))
      if (key.id === id) return isOf(key, target)
    return false
  })

const revokeAt = Effect.fnUntraced(function* (options: Given<typeof keys.commands.revoke>) {
  const { id } = options
  const target = yield* targetOf(options)
  const { baseUrl } = target
  const inUse = yield* isInUse(target, id)
  if (inUse && !options.yes) {
    if (!canAsk())
      return yield* usage(
        `This command uses ${id}. earmark keys revoke asks for confirmation, which needs a terminal. Add --yes to revoke without it.`,
      )
    yield* requireConsent(
      `This command uses ${id}. Revoke it? After that, ${baseUrl} needs another key.`,
      "Nothing was revoked.",
    )
  }
  yield* askTarget(target, (client, call) => client.keys.revoke(id, call))
  const next = inUse ? ` This command used it. To use another key: earmark login ${baseUrl}` : ""
  yield* say({ id, revoked: true }, options.json, () => `${id} is revoked.${next}`)
})

export const revoke = (options: Given<typeof keys.commands.revoke>) =>
  forAccount(
    options,
    (account) =>
      Effect.flatMap(
        administer((all) => all.revokeKey, { account, id: options.id }),
        (revoked) =>
          say(revoked, options.json, (key) => `${key.id} is revoked since ${moment(key.revoked_at)}.`),
      ),
    () => revokeAt(options),
  )
