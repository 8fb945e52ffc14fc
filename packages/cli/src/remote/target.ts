/** Which server a command is for, and with which key: the rules of the runtime, in the words of the command. */

import { suggestion } from "@earmark/core/text"
import { ownFetchFor } from "@earmark/mcp/ownListener"
import type { Setting } from "@earmark/runtime/settings"
import {
  findServer,
  isServerInUse,
  type ProfilesRefused,
  readAddress,
  type ServerAccess,
  type ServerUnknown,
} from "@earmark/runtime/user"
import { Effect } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { note } from "../output.js"
import { askTarget, type Work } from "./ask.js"
import type { Target } from "./explainError.js"

export type { Target }

/** What the command line says of it. */
export interface Where {
  readonly server: string | undefined
  readonly profile: string | undefined
  /** Of commands that an operator also runs beside the store. */
  readonly account?: string | undefined
  /** Of commands that this machine does too. */
  readonly local?: boolean
}

const HOW = "Set SERVICE_API_KEY, or save a key with: earmark login"

const HERE_INSTEAD = ". To work on this machine instead, add --local"

/** What the command takes in place of a server that does not answer. */
const wayOutOf = (where: Where, isNamed: boolean): string => {
  const another = isNamed
    ? ", or name another with --server"
    : ". If it has another address, name it with --server or EARMARK_PORT"
  if (where.local !== undefined)
    return `${another}${HERE_INSTEAD}, or run earmark config use to make that the rule`
  return "account" in where ? `${another}. Beside its store, add --account ID instead` : another
}

const keyWords = ({ keyFrom }: ServerAccess): Pick<Target, "keyFrom" | "keyRefused"> => {
  switch (keyFrom.type) {
    case "setting":
      return { keyFrom: "SERVICE_API_KEY" }
    case "first_key":
      return { keyFrom: keyFrom.path }
    case "profile":
      return {
        keyFrom: `the saved profile "${keyFrom.name}"`,
        keyRefused: `earmark config forget ${keyFrom.name}`,
      }
  }
}

const targetAt = (access: ServerAccess, where: Where): Target => ({
  baseUrl: access.baseUrl,
  apiKey: access.apiKey,
  ...keyWords(access),
  wayOut: wayOutOf(where, access.isNamed),
  fetch: access.isForOwnListener ? ownFetchFor(access.baseUrl) : undefined,
})

type Failure = ServerUnknown | ProfilesRefused | Effect.Effect.Error<Setting<unknown>>

/** The file of the profiles, as the command speaks of it. */
export const explainProfiles = ({ reason, path, detail }: ProfilesRefused): CommandFailed => {
  switch (reason) {
    case "not_private":
      return failed(
        `${path} is not used, since it holds keys: ${detail}. Give it to one user, in a folder of that user.`,
      )
    case "unreadable":
      return failed(`Could not read ${path}: ${detail}. Mend it or remove it.`)
    case "malformed":
      return failed(`${path} is not as this command writes it. Mend it or remove it, and sign in again.`)
    case "unwritable":
      return failed(`Could not write ${path}: ${detail}.`)
  }
}

const explainUnknown = ({ reason, subject, known }: ServerUnknown, { local }: Where): CommandFailed => {
  switch (reason) {
    case "named_twice":
      return usage("Give --server or --profile, not both.")
    case "no_such_profile": {
      const there = known.length === 0 ? "there is none yet" : `there are ${known.join(", ")}`
      return usage(
        `There is no profile "${subject}"; ${there}.${suggestion(subject, known)} earmark login URL makes one.`,
      )
    }
    case "not_an_address": {
      const hint =
        known.length === 0 ? "Give it as https://transcripts.example." : `Did you mean ${known[0]}?`
      return usage(`"${subject}" is not the address of a server. ${hint}`)
    }
    case "no_key":
      return failed(
        `There is no key for ${subject}. ${HOW} ${subject}${local === undefined ? "" : HERE_INSTEAD}`,
      )
  }
}

const explain =
  (where: Where) =>
  (failure: Failure): CommandFailed => {
    switch (failure._tag) {
      case "SettingInvalid":
        return usage(`${failure.message}.`)
      case "ProfilesRefused":
        return explainProfiles(failure)
      case "ServerUnknown":
        return explainUnknown(failure, where)
    }
  }

/** The address of a server, without slashes at its end. */
export const addressOf = (given: string): Effect.Effect<string, CommandFailed> =>
  Effect.mapError(readAddress(given), explain({ server: undefined, profile: undefined }))

/** Whether a server refuses a key. One that does not answer refuses none. */
const isRefused = (target: Target) =>
  Effect.match(
    askTarget(target, (client, call) => client.transcriptions.list({ limit: 1 }, call)),
    { onFailure: ({ code }) => code === "unauthorized", onSuccess: () => false },
  )

/** Null where no server is named, and there is no key for one on this machine. */
const findTarget = Effect.fnUntraced(function* (where: Where) {
  const found = yield* findServer(
    { server: where.server ?? null, profile: where.profile ?? null },
    (access) => isRefused(targetAt(access, where)),
    (refused, other) => {
      const { baseUrl, keyFrom, keyRefused } = targetAt(refused, where)
      return note(
        `${baseUrl} does not accept the key of ${keyFrom}: using ${keyWords(other).keyFrom}. To remove the old key, run: ${keyRefused}`,
      )
    },
  ).pipe(Effect.mapError(explain(where)))
  return found === null ? null : targetAt(found, where)
})

/** The server that a command line means. */
export const targetOf = Effect.fn("targetOf")(function* (where: Where) {
  return (
    (yield* findTarget(where)) ??
    (yield* failed(`No server is named, and there is no key for the one on this machine. ${HOW} URL`))
  )
})

/** For commands that this machine does too: the server that is named or in use, or null. */
export const namedTarget = Effect.fn("namedTarget")(function* (given: Where & { readonly local: boolean }) {
  const isGiven = given.server !== undefined || given.profile !== undefined
  if (given.local && isGiven) return yield* usage("Give --local, or name a server: not both.")
  if (given.local) return null
  const isNamed = isGiven || (yield* Effect.mapError(isServerInUse, explain(given)))
  return isNamed ? yield* findTarget(given) : null
})

/** Does something with the server that the command line means. */
export const ask = <Answer>(where: Where, work: Work<Answer>): Effect.Effect<Answer, CommandFailed> =>
  Effect.flatMap(targetOf(where), (target) => askTarget(target, work))
