/** Which service a command is for, and with whose key. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { trimEndOf } from "@earmark/core/text"
import { ownFetchFor } from "@earmark/mcp/ownListener"
import { client, host, service, storage } from "@earmark/runtime/settings"
import { Effect, Option, Redacted } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { didYouMean } from "../didYouMean.js"
import { settingOf } from "../settingOf.js"
import { type Profiles, readProfiles } from "./profiles.js"

/** What the command line says of it. */
export interface Where {
  readonly server: Option.Option<string>
  readonly profile: Option.Option<string>
}

export interface Target {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** Of a service that nobody has named: no key goes to a listener of another user. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** The service that `earmark serve` starts with the same settings. */
const here = Effect.map(settingOf(host.port), (number) => `http://127.0.0.1:${number}`)

const HOW = "Set SERVICE_API_KEY, or keep the key with: earmark login"

const HERE_INSTEAD = ". With --local this machine does it instead"

const isHttp = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)

/** What probably was meant by a name without its scheme; services of this machine have no certificate. */
const meant = (given: string): string => {
  const isHere = /^(?:localhost|127\.|\[::1\])/i.test(given)
  const completed = `${isHere ? "http" : "https"}://${given}`
  return /^[\w.[\]:-]+(?:\/|$)/.test(given) && isHttp(completed) ? completed : ""
}

/** The address of a service, without slashes at its end. */
export const addressOf = (given: string): Effect.Effect<string, CommandFailed> => {
  if (isHttp(given)) return Effect.succeed(trimEndOf(given, "/"))
  const address = meant(given)
  const hint = address === "" ? "Give it as https://transcripts.example." : `Did you mean ${address}?`
  return Effect.fail(usage(`"${given}" is no address of a service. ${hint}`))
}

/** Whether what is sent there can be read by nobody on the way: it is encrypted, or never leaves this machine. */
export const isPrivateWay = (baseUrl: string): boolean => {
  const { hostname, protocol } = new URL(baseUrl)
  return protocol === "https:" || /^(?:localhost$|127\.|\[::1\])/.test(hostname)
}

/** Of the first start on this machine, where nobody sat in front of it. */
const firstKey = Effect.map(settingOf(storage.dataDir), (folder): string | undefined => {
  try {
    return readFileSync(join(folder, "first-key"), "utf8").trim()
  } catch {
    return undefined
  }
})

const keptFor = ({ profiles }: Profiles, baseUrl: string): string | undefined =>
  Object.values(profiles).find(({ url }) => url === baseUrl)?.key

const profileNamed = ({ profiles }: Profiles, name: string) => {
  const found = profiles[name]
  if (found !== undefined) return Effect.succeed(found)
  const known = Object.keys(profiles)
  const there = known.length === 0 ? "there is none yet" : `there are ${known.join(", ")}`
  return Effect.flatMap(didYouMean(name, known), (hint) =>
    Effect.fail(usage(`There is no profile "${name}"; ${there}.${hint} earmark login URL makes one.`)),
  )
}

const target = (baseUrl: string, key: string): Target => ({ baseUrl, apiKey: Redacted.make(key) })

/** Null where nobody has named a service, and there is no key for one on this machine. */
const findTarget = Effect.fnUntraced(function* ({ server, profile }: Where, wayOut = "") {
  if (Option.isSome(server) && Option.isSome(profile))
    return yield* usage("Give --server or --profile, not both.")
  const kept = yield* readProfiles
  const secret = yield* settingOf(client.serviceKey)
  const named = Option.getOrNull(profile) ?? (yield* settingOf(client.profile))
  if (Option.isNone(server) && named !== null) {
    const { url, key } = yield* profileNamed(kept, named)
    return target(url, key)
  }
  const inUse = yield* settingOf(service.baseUrl)
  const given = Option.getOrNull(server) ?? inUse
  if (given === null && secret === null && kept.current !== null) {
    const { url, key } = yield* profileNamed(kept, kept.current)
    return target(url, key)
  }
  const baseUrl = yield* addressOf(given ?? (yield* here))
  // The key of the environment is for the address beside it, where there is one.
  const own = secret !== null && (inUse === null || inUse === baseUrl) ? Redacted.value(secret) : undefined
  const saved = own ?? keptFor(kept, baseUrl)
  if (given !== null)
    return saved === undefined
      ? yield* failed(`There is no key for ${baseUrl}. ${HOW} ${baseUrl}${wayOut}`)
      : target(baseUrl, saved)
  const key = saved ?? (yield* firstKey)
  return key === undefined ? null : { ...target(baseUrl, key), fetch: ownFetchFor(baseUrl) }
})

/**
 * The service of `--server` or `--profile`, of EARMARK_BASE_URL, of the profile in use, or the one on this machine: the first of them
 * that is given. Its key is that of the profile, SERVICE_API_KEY, or the first key of the data folder; one for an address that nobody
 * has named goes to a listener of this user alone.
 */
export const targetOf = Effect.fn("targetOf")(function* (where: Where) {
  return (
    (yield* findTarget(where)) ??
    (yield* failed(`No service is named, and there is no key for the one on this machine. ${HOW} URL`))
  )
})

/**
 * For commands that this machine does too: the service that somebody has named, or null where nobody did. An address alone does not
 * count, nor does the key of the folder: a service that runs here has both.
 */
export const namedTarget = Effect.fn("namedTarget")(function* (given: Where & { readonly local: boolean }) {
  const isGiven = Option.isSome(given.server) || Option.isSome(given.profile)
  if (given.local && isGiven) return yield* usage("Give --local, or name a service: not both.")
  if (given.local) return null
  const isNamed =
    isGiven ||
    (yield* client.profile.isSet) ||
    ((yield* service.baseUrl.isSet) && (yield* client.serviceKey.isSet)) ||
    (yield* readProfiles).current !== null
  return isNamed ? yield* findTarget(given, HERE_INSTEAD) : null
})
