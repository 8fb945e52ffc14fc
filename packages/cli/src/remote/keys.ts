/** The keys that a command may use at a server, and the one that the server accepts. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { storage } from "@earmark/runtime/settings"
import { Effect, Redacted } from "effect"
import { note } from "../output.js"
import { settingOf } from "../settingOf.js"
import type { Profiles } from "./profiles.js"

export interface ServerKey {
  readonly value: string
  /** Where it comes from, as an error names it. */
  readonly from: string
  /** How to do without it, where the server refuses it. */
  readonly ifRefused?: string
  /** Only for a listener of this user. */
  readonly isOwn: boolean
}

/** A server and the key to use there. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** Where the key comes from, as an error names it. */
  readonly keyFrom?: string | undefined
  /** How to do without this key, where the server refuses it. */
  readonly keyRefused?: string | undefined
  /** What the command takes in place of a server that does not answer, to end a sentence with; undefined where no other will do. */
  readonly wayOut?: string | undefined
  /** Of a server that is not named: no key goes to a listener of another user. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export const ownKey = (secret: Redacted.Redacted): ServerKey => ({
  value: Redacted.value(secret),
  from: "SERVICE_API_KEY",
  isOwn: false,
})

/** The saved keys for an address, that of the preferred profile first. */
export const savedKeysFor = (
  { profiles }: Profiles,
  baseUrl: string,
  preferred: string | null,
): ReadonlyArray<ServerKey> =>
  Object.entries(profiles)
    .filter(([, { url }]) => url === baseUrl)
    .sort(([one], [other]) => Number(other === preferred) - Number(one === preferred))
    .map(([name, { key }]) => ({
      value: key,
      from: `the saved profile "${name}"`,
      ifRefused: `earmark config forget ${name}`,
      isOwn: false,
    }))

/** The key that the first start of a server writes to its data folder. */
export const firstKey = Effect.map(settingOf(storage.dataDir), (folder): ReadonlyArray<ServerKey> => {
  const path = join(folder, "first-key")
  try {
    return [{ value: readFileSync(path, "utf8").trim(), from: path, isOwn: true }]
  } catch {
    return []
  }
})

/** Whether a server refuses a key. One that does not answer refuses none. */
const isRefused = ({ baseUrl, apiKey, fetch }: Target) =>
  Effect.gen(function* () {
    const { EarmarkClient, ProblemError } = yield* Effect.promise(() => import("@earmark/api/client"))
    const client = new EarmarkClient({ baseUrl, apiKey: Redacted.value(apiKey), fetch })
    return yield* Effect.tryPromise({
      try: (signal) => client.transcriptions.list({ limit: 1 }, { signal }),
      catch: (error) => error instanceof ProblemError && error.code === "unauthorized",
    }).pipe(Effect.match({ onFailure: (refused) => refused, onSuccess: () => false }))
  })

const differing = (targets: ReadonlyArray<Target>) =>
  targets.filter(
    ({ apiKey }, at) =>
      targets.findIndex((other) => Redacted.value(other.apiKey) === Redacted.value(apiKey)) === at,
  )

/**
 * The first target whose key its server accepts; where it accepts none, the first. A server is asked only where there is a choice:
 * a saved key may be that of an earlier server at the same address.
 */
export const theOneThatFits = Effect.fnUntraced(function* (targets: ReadonlyArray<Target>) {
  const [first, ...others] = differing(targets)
  if (first === undefined || others.length === 0 || !(yield* isRefused(first))) return first ?? null
  for (const other of others) {
    if (yield* isRefused(other)) continue
    yield* note(
      `${first.baseUrl} does not accept the key of ${first.keyFrom}: using ${other.keyFrom}. To remove the old key, run: ${first.keyRefused}`,
    )
    return other
  }
  return first
})
