/** Which server a command is for, and with which key. */
import { trimEndOf } from "@earmark/core/text"
import { ownFetchFor } from "@earmark/mcp/ownListener"
import { client, host, service } from "@earmark/runtime/settings"
import { Effect, Option, Redacted } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { didYouMean } from "../didYouMean.js"
import { settingOf } from "../settingOf.js"
import { firstKey, ownKey, type ServerKey, savedKeysFor, type Target, theOneThatFits } from "./keys.js"
import { type Profiles, readProfiles } from "./profiles.js"

/** What the command line says of it. */
export interface Where {
  readonly server: Option.Option<string>
  readonly profile: Option.Option<string>
  /** Of commands that an operator also runs beside the store. */
  readonly account?: Option.Option<string>
  /** Of commands that this machine does too. */
  readonly local?: boolean
}

/** The server that `earmark serve` starts with the same settings. */
const here = Effect.map(settingOf(host.port), (number) => `http://127.0.0.1:${number}`)

const HOW = "Set SERVICE_API_KEY, or save a key with: earmark login"

const HERE_INSTEAD = ". To work on this machine instead, add --local"

/** What the command takes in place of a server that does not answer. */
const wayOutOf = ({ account, local }: Where, isNamed: boolean): string => {
  const another = isNamed
    ? ", or name another with --server"
    : ". If it has another address, name it with --server or EARMARK_PORT"
  if (local !== undefined) return `${another}${HERE_INSTEAD}, or run earmark config use to make that the rule`
  return account === undefined ? another : `${another}. Beside its store, add --account ID instead`
}

const isHttp = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)

/** What probably was meant by a name without its scheme; servers of this machine have no certificate. */
const meant = (given: string): string => {
  const isHere = /^(?:localhost|127\.|\[::1\])/i.test(given)
  const completed = `${isHere ? "http" : "https"}://${given}`
  return /^[\w.[\]:-]+(?:\/|$)/.test(given) && isHttp(completed) ? completed : ""
}

/** The address of a server, without slashes at its end. */
export const addressOf = (given: string): Effect.Effect<string, CommandFailed> => {
  if (isHttp(given)) return Effect.succeed(trimEndOf(given, "/"))
  const address = meant(given)
  const hint = address === "" ? "Give it as https://transcripts.example." : `Did you mean ${address}?`
  return Effect.fail(usage(`"${given}" is not the address of a server. ${hint}`))
}

const profileNamed = ({ profiles }: Profiles, name: string) => {
  const found = profiles[name]
  if (found !== undefined) return Effect.succeed(found)
  const known = Object.keys(profiles)
  const there = known.length === 0 ? "there is none yet" : `there are ${known.join(", ")}`
  return Effect.flatMap(didYouMean(name, known), (hint) =>
    Effect.fail(usage(`There is no profile "${name}"; ${there}.${hint} earmark login URL makes one.`)),
  )
}

const target = (baseUrl: string, key: ServerKey, isOwn: boolean, where: Where): Target => ({
  baseUrl,
  apiKey: Redacted.make(key.value),
  keyFrom: key.from,
  keyRefused: key.ifRefused,
  wayOut: wayOutOf(where, !isOwn),
  fetch: isOwn || key.isOwn ? ownFetchFor(baseUrl) : undefined,
})

/** Null where no server is named, and there is no key for one on this machine. */
const findTarget = Effect.fnUntraced(function* (where: Where) {
  const { server, profile, local } = where
  if (Option.isSome(server) && Option.isSome(profile))
    return yield* usage("Give --server or --profile, not both.")
  const saved = yield* readProfiles
  const secret = yield* settingOf(client.serviceKey)
  const named = Option.getOrNull(profile) ?? (yield* settingOf(client.profile))
  if (Option.isNone(server) && named !== null) {
    const { url } = yield* profileNamed(saved, named)
    const [key] = savedKeysFor(saved, url, named)
    return key === undefined ? null : target(url, key, false, where)
  }
  const setUrl = yield* settingOf(service.baseUrl)
  const inUse = secret === null ? saved.current : null
  const given =
    Option.getOrNull(server) ?? setUrl ?? (inUse === null ? null : (yield* profileNamed(saved, inUse)).url)
  const own = yield* here
  const baseUrl = yield* addressOf(given ?? own)
  // The key of the environment is for the address beside it, where there is one.
  const isForAddress = secret !== null && (setUrl === null || setUrl === baseUrl)
  const keys = isForAddress
    ? [ownKey(secret)]
    : [...savedKeysFor(saved, baseUrl, saved.current), ...(baseUrl === own ? yield* firstKey : [])]
  const found = keys.map((key) => target(baseUrl, key, given === null, where))
  if (found.length === 0 && given !== null)
    return yield* failed(
      `There is no key for ${baseUrl}. ${HOW} ${baseUrl}${local === undefined ? "" : HERE_INSTEAD}`,
    )
  return yield* theOneThatFits(found)
})

/**
 * The server of `--server` or `--profile`, of EARMARK_BASE_URL, of the profile in use, or the one on this machine: the first of them
 * that is given. Its key is that of `--profile`, else SERVICE_API_KEY, else the first that it accepts of the saved ones for its address
 * and, for the one on this machine, the first key of the data folder. The last goes to a listener of this user alone.
 */
export const targetOf = Effect.fn("targetOf")(function* (where: Where) {
  return (
    (yield* findTarget(where)) ??
    (yield* failed(`No server is named, and there is no key for the one on this machine. ${HOW} URL`))
  )
})

/**
 * For commands that this machine does too: the server that is named, or null. An address alone does not
 * count, nor does the key of the folder: a server that runs here has both.
 */
export const namedTarget = Effect.fn("namedTarget")(function* (given: Where & { readonly local: boolean }) {
  const isGiven = Option.isSome(given.server) || Option.isSome(given.profile)
  if (given.local && isGiven) return yield* usage("Give --local, or name a server: not both.")
  if (given.local) return null
  const isNamed =
    isGiven ||
    (yield* client.profile.isSet) ||
    ((yield* service.baseUrl.isSet) && (yield* client.serviceKey.isSet)) ||
    (yield* readProfiles).current !== null
  return isNamed ? yield* findTarget(given) : null
})
