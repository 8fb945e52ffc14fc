import { suggestion } from "@earmark/core/text"
import { Config, type ConfigProvider, Data, Effect, Either, Option } from "effect"
import { agents } from "./agents.js"
import { client } from "./client.js"
import { engines } from "./engines.js"
import { host } from "./host.js"
import { logs } from "./logs.js"
import { media } from "./media.js"
import { payments, type StripeSettings, stripeOf } from "./payments.js"
import { type Setting, type SettingFacts, SettingInvalid } from "./Setting.js"
import { service } from "./service.js"
import { storage } from "./storage.js"
import { work } from "./work.js"

const all = {
  ...host,
  ...storage,
  ...service,
  ...payments,
  ...agents,
  ...engines,
  ...media,
  ...work,
  ...logs,
}

type Values<Definitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends Setting<infer Value> ? Value : never
}

type Given = Values<typeof all>

/** Every setting with its value. */
export type Settings = Omit<Given, "baseUrl" | keyof typeof payments> & {
  readonly baseUrl: string
  /** Null: nobody takes money. */
  readonly stripe: StripeSettings | null
}

/** Every address of the machine is no address that a client can use. */
const ANY_ADDRESS: ReadonlyArray<string> = ["0.0.0.0", "::"]

const addressOf = ({ host, port }: Given): string => {
  const name = ANY_ADDRESS.includes(host) ? "127.0.0.1" : host
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

/** Every setting there is, in the order of the reference page. */
export const settingSections: ReadonlyArray<{
  readonly title: string
  readonly settings: ReadonlyArray<SettingFacts>
}> = [
  { title: "Where it listens", settings: factsOf(host) },
  { title: "Where data is kept", settings: factsOf(storage) },
  { title: "What customers get", settings: factsOf(service) },
  { title: "Who takes the money", settings: factsOf(payments) },
  { title: "How agents come in", settings: factsOf(agents) },
  { title: "What turns speech into words", settings: factsOf(engines) },
  { title: "How media are got", settings: factsOf(media) },
  { title: "How work is done", settings: factsOf(work) },
  { title: "What is logged and traced", settings: factsOf(logs) },
  { title: "Which server commands use", settings: factsOf(client) },
]

function factsOf(definitions: Readonly<Record<string, Setting<unknown>>>): ReadonlyArray<SettingFacts> {
  return Object.values(definitions).map(({ facts }) => facts)
}

/** The settings that cannot be: all of them at once, so that a start fails once. */
export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{
  readonly invalid: ReadonlyArray<SettingInvalid>
}> {
  override get message() {
    return this.invalid.map(({ message }) => `${message}.`).join(" ")
  }
}

const noClientId = new SettingInvalid({
  setting: "EARMARK_SIGNIN_CLIENT_ID",
  problem: "must be set with EARMARK_SIGNIN_ISSUER",
})

const noIssuer = new SettingInvalid({
  setting: "EARMARK_OPERATORS",
  problem: "needs EARMARK_SIGNIN_ISSUER, the provider whose subjects it names",
})

const ownIssuer = new SettingInvalid({
  setting: "EARMARK_MCP_ISSUER",
  problem: "names this server itself; leave it out to use the built-in authorization server",
})

const isSameAddress = (one: string, other: string): boolean => new URL(one).href === new URL(other).href

/** Every setting, from the config provider of the moment (the environment, where nobody says otherwise). */
export const readSettings: Effect.Effect<Settings, SettingsInvalid> = Effect.all(all, {
  mode: "validate",
}).pipe(
  Effect.mapError(
    (problems) => new SettingsInvalid({ invalid: Object.values(problems).flatMap(Option.toArray) }),
  ),
  Effect.filterOrFail(
    ({ signInIssuer, signInClientId }) => signInIssuer === null || signInClientId !== null,
    () => new SettingsInvalid({ invalid: [noClientId] }),
  ),
  Effect.filterOrFail(
    ({ signInIssuer, operators }) => signInIssuer !== null || operators.length === 0,
    () => new SettingsInvalid({ invalid: [noIssuer] }),
  ),
  Effect.flatMap((given) =>
    Either.mapBoth(stripeOf(given), {
      onLeft: (invalid) => new SettingsInvalid({ invalid }),
      onRight: (stripe) => ({ ...given, stripe, baseUrl: given.baseUrl ?? addressOf(given) }),
    }),
  ),
  Effect.filterOrFail(
    ({ mcpIssuer, baseUrl }) => mcpIssuer === null || !isSameAddress(mcpIssuer, baseUrl),
    () => new SettingsInvalid({ invalid: [ownIssuer] }),
  ),
)

/** A variable that is named like a setting, but is not one. */
export interface UnknownSetting {
  readonly name: string
  readonly message: string
}

const PREFIX = "EARMARK"
/** What the tests of Earmark itself are told. */
const FOR_TESTS = `${PREFIX}_TEST_`

/** The names below a path of the provider; the one for the environment cuts names at each underscore. */
const namesBelow = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const children = yield* provider.flattened
      .enumerateChildren(path)
      .pipe(Effect.orElseSucceed((): Iterable<string> => []))
    const parts = [...children].filter((part) => path.length > 0 || part.startsWith(PREFIX))
    const below = yield* Effect.forEach(parts, (part) => namesBelow(provider, [...path, part]))
    const name = path.join("_")
    const isSet = name !== "" && Option.isSome(yield* Effect.option(provider.load(Config.string(name))))
    return isSet ? [name, ...below.flat()] : below.flat()
  })

/** What all names begin with says nothing of how alike two are. */
const ownPart = (name: string): string => name.slice(PREFIX.length + 1)

/** Variables whose names begin like those of settings, and that nothing reads. */
export const unknownSettings: Effect.Effect<ReadonlyArray<UnknownSetting>> = Effect.configProviderWith(
  (provider) =>
    Effect.map(namesBelow(provider, []), (names) => {
      const known: ReadonlyArray<string> = settingSections
        .flatMap(({ settings }) => settings.map(({ name }) => name))
        .filter((name) => name.startsWith(`${PREFIX}_`))
      return names
        .filter(
          (name) => name.startsWith(`${PREFIX}_`) && !name.startsWith(FOR_TESTS) && !known.includes(name),
        )
        .map((name) => {
          const hint = suggestion(ownPart(name), known.map(ownPart), (near) => `${PREFIX}_${near}`)
          return { name, message: `Unknown setting ${name} (ignored).${hint}` }
        })
    }),
)
