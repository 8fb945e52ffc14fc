/** Which server somebody means, and with which key. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { trimEndOf } from "@earmark/core/text"
import { Data, Effect, Redacted } from "effect"
import { client } from "../settings/client.js"
import { host } from "../settings/host.js"
import { service } from "../settings/service.js"
import { storage } from "../settings/storage.js"
import { type Profiles, readProfiles } from "./profiles.js"

/** How a server is named; null where nobody did. */
export interface ServerNamed {
  readonly server: string | null
  readonly profile: string | null
}

/** A server and the key to use there. */
export interface ServerAccess {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly keyFrom:
    | { readonly type: "setting" }
    | { readonly type: "profile"; readonly name: string }
    | { readonly type: "first_key"; readonly path: string }
  /** False for the server of this machine that nobody named. */
  readonly isNamed: boolean
  /** The key is only for a listener of this user. */
  readonly isForOwnListener: boolean
}

/** The server of a command cannot be told, or there is no key for it. */
export class ServerUnknown extends Data.TaggedError("ServerUnknown")<{
  readonly reason: "named_twice" | "no_such_profile" | "not_an_address" | "no_key"
  /** The name or the address that was given. */
  readonly subject: string
  /** The names that there are, or the address that was probably meant. */
  readonly known: ReadonlyArray<string>
}> {}

const unknown = (reason: ServerUnknown["reason"], subject: string, known: ReadonlyArray<string> = []) =>
  new ServerUnknown({ reason, subject, known })

/** The server that `earmark serve` starts with the same settings. */
const here = Effect.map(host.port, (number) => `http://127.0.0.1:${number}`)

const isHttp = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)

/** What probably was meant by a name without its scheme; servers of this machine have no certificate. */
const meant = (given: string): ReadonlyArray<string> => {
  const isHere = /^(?:localhost|127\.|\[::1\])/i.test(given)
  const completed = `${isHere ? "http" : "https"}://${given}`
  return /^[\w.[\]:-]+(?:\/|$)/.test(given) && isHttp(completed) ? [completed] : []
}

/** The address of a server, without slashes at its end. */
export const readAddress = (given: string): Effect.Effect<string, ServerUnknown> =>
  isHttp(given)
    ? Effect.succeed(trimEndOf(given, "/"))
    : Effect.fail(unknown("not_an_address", given, meant(given)))

const profileNamed = ({ profiles }: Profiles, name: string) => {
  const found = profiles[name]
  return found === undefined
    ? Effect.fail(unknown("no_such_profile", name, Object.keys(profiles)))
    : Effect.succeed(found)
}

interface ServerKey extends Pick<ServerAccess, "keyFrom"> {
  readonly value: string
}

/** The saved keys for an address, that of the preferred profile first. */
const savedKeysFor = (
  { profiles }: Profiles,
  baseUrl: string,
  preferred: string | null,
): ReadonlyArray<ServerKey> =>
  Object.entries(profiles)
    .filter(([, { url }]) => url === baseUrl)
    .sort(([one], [other]) => Number(other === preferred) - Number(one === preferred))
    .map(([name, { key }]) => ({ value: key, keyFrom: { type: "profile", name } }))

/** The key that the first start of a server writes to its data folder. */
const firstKey = Effect.map(storage.dataDir, (folder): ReadonlyArray<ServerKey> => {
  const path = join(folder, "first-key")
  try {
    return [{ value: readFileSync(path, "utf8").trim(), keyFrom: { type: "first_key", path } }]
  } catch {
    return []
  }
})

const accessOf = (baseUrl: string, { value, keyFrom }: ServerKey, isNamed: boolean): ServerAccess => ({
  baseUrl,
  apiKey: Redacted.make(value),
  keyFrom,
  isNamed,
  isForOwnListener: !isNamed || keyFrom.type === "first_key",
})

/** Every key that there is for the server that is meant, the one that counts most first. Fails where a server is named and there is none. */
const accesses = Effect.fnUntraced(function* ({ server, profile }: ServerNamed) {
  if (server !== null && profile !== null) return yield* unknown("named_twice", server)
  const saved = yield* readProfiles
  const secret = yield* client.serviceKey
  const named = profile ?? (yield* client.profile)
  if (server === null && named !== null) {
    const { url } = yield* profileNamed(saved, named)
    return savedKeysFor(saved, url, named)
      .slice(0, 1)
      .map((key) => accessOf(url, key, true))
  }
  const setUrl = yield* service.baseUrl
  const inUse = secret === null ? saved.current : null
  const given = server ?? setUrl ?? (inUse === null ? null : (yield* profileNamed(saved, inUse)).url)
  const own = yield* here
  const baseUrl = yield* readAddress(given ?? own)
  // The key of the environment is for the address beside it, where there is one.
  const isForAddress = secret !== null && (setUrl === null || setUrl === baseUrl)
  const keys: ReadonlyArray<ServerKey> = isForAddress
    ? [{ value: Redacted.value(secret), keyFrom: { type: "setting" } }]
    : [...savedKeysFor(saved, baseUrl, saved.current), ...(baseUrl === own ? yield* firstKey : [])]
  if (keys.length === 0 && given !== null) return yield* unknown("no_key", baseUrl)
  return keys.map((key) => accessOf(baseUrl, key, given !== null))
})

const differing = (all: ReadonlyArray<ServerAccess>) =>
  all.filter(
    ({ apiKey }, at) =>
      all.findIndex((other) => Redacted.value(other.apiKey) === Redacted.value(apiKey)) === at,
  )

/**
 * The server that is named, else that of EARMARK_BASE_URL, of the profile in use, or the one on this machine: the first of them that is
 * given. Its key is that of the named profile, else SERVICE_API_KEY, else the first that it accepts of the saved ones for its address and,
 * for the one on this machine, the first key of the data folder. Where it accepts none, the first; a server is asked only where there is
 * a choice: a saved key may be that of an earlier server at the same address. Null where no server is named, and there is no key here.
 */
export const findServer = Effect.fnUntraced(function* <E, R>(
  named: ServerNamed,
  refuses: (access: ServerAccess) => Effect.Effect<boolean, E, R>,
  onOther: (refused: ServerAccess, other: ServerAccess) => Effect.Effect<void>,
) {
  const [first, ...others] = differing(yield* accesses(named))
  if (first === undefined || others.length === 0 || !(yield* refuses(first))) return first ?? null
  for (const other of others) {
    if (yield* refuses(other)) continue
    yield* onOther(first, other)
    return other
  }
  return first
})

/**
 * Whether the environment or a profile names a server for work that this machine does too. An address alone does not count, nor does the
 * key of the data folder: a server that runs here has both.
 */
export const isServerInUse = Effect.gen(function* () {
  return (
    (yield* client.profile.isSet) ||
    ((yield* service.baseUrl.isSet) && (yield* client.serviceKey.isSet)) ||
    (yield* readProfiles).current !== null
  )
})
