import { counted } from "@earmark/core/text"
import type { BackedUp, Restored } from "@earmark/runtime"
import { Effect } from "effect"
import { failed, usage } from "../../CommandFailed.js"
import type { Given } from "../../grammar/Grammar.js"
import type { backup as backupSpec, restore as restoreSpec } from "../../grammar/operating.js"
import { STANDARD_INPUT } from "../../input.js"
import { loadHost, sayDone } from "./administer.js"

const held = ({ rows }: BackedUp): string =>
  [
    counted(rows.account ?? 0, "account"),
    counted(rows.job ?? 0, "transcription"),
    `${counted(rows.credit_entry ?? 0, "line")} of the ledger`,
  ].join(", ")

const BESIDE = "Not in it: the bytes of uploads, and the secrets key. Keep that key apart."

export const backup = ({ file: given, json }: Given<typeof backupSpec>) =>
  Effect.gen(function* () {
    const isStream = given === STANDARD_INPUT
    if (isStream && json)
      return yield* usage("--json would print among the backup: leave it out, or name a file.")
    const made = yield* (yield* loadHost).backup(isStream ? process.stdout : given)
    const place = isStream ? "on standard output" : `in ${given}`
    yield* sayDone(made, json, `The store is ${place}: ${held(made)}. ${BESIDE}`)
  })

/** What is left to do. The key is not in a backup. */
const keyNeeded = ({ secrets_key: { in_place, file } }: Restored): string => {
  if (in_place) return ""
  return file === null
    ? "Now set EARMARK_SECRETS_KEY to the secrets key of the store: it is not in a backup."
    : `Now put the secrets key of the store in ${file}, or set EARMARK_SECRETS_KEY to it: it is not in a backup.`
}

const agreement = ({ credits_agree }: Restored): string =>
  credits_agree ? "Every balance, hold and entry agrees." : ""

export const restore = ({ file: given, json }: Given<typeof restoreSpec>) =>
  Effect.gen(function* () {
    if (given === STANDARD_INPUT)
      return yield* usage(
        "A backup is read twice, so it cannot be piped in: save it to a file, and name that.",
      )
    const made = yield* (yield* loadHost).restore(given)
    const done = [`The store is as it was: ${held(made)}.`, agreement(made), keyNeeded(made)]
    yield* sayDone(made, json, done.filter((sentence) => sentence !== "").join(" "))
    if (!made.credits_agree)
      return yield* failed("Balances and entries do not agree: earmark credits verify says where.")
  })
