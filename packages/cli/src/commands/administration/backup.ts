import { counted } from "@earmark/core/text"
import type { BackedUp, Restored } from "@earmark/runtime"
import { Args, Command } from "@effect/cli"
import { Effect } from "effect"
import { failed } from "../../CommandFailed.js"
import type { Page } from "../../help.js"
import { askHost, jsonAnswer, sayDone } from "./administer.js"
import { groups } from "./groups.js"

const file = Args.text({ name: "file" })
const target = file.pipe(Args.withDescription("The file to write; it must not exist yet."))
const source = file.pipe(Args.withDescription("What earmark backup wrote."))

const held = ({ rows }: BackedUp): string =>
  [
    counted(rows.account ?? 0, "account"),
    counted(rows.job ?? 0, "transcription"),
    `${counted(rows.credit_entry ?? 0, "line")} of the ledger`,
  ].join(", ")

const BESIDE = "Not in it: the bytes of uploads, and the secrets key. Keep that key apart."

export const backup = Command.make("backup", { file: target, json: jsonAnswer }, ({ file: given, json }) =>
  Effect.gen(function* () {
    const made = yield* askHost((host, surroundings) => host.backup(given, surroundings))
    yield* sayDone(made, json, `The store is in ${given}: ${held(made)}. ${BESIDE}`)
  }),
).pipe(Command.withDescription(groups.backup))

const agreement = ({ credits_agree }: Restored): string =>
  credits_agree ? "Every balance, hold and entry agrees." : ""

export const restore = Command.make("restore", { file: source, json: jsonAnswer }, ({ file: given, json }) =>
  Effect.gen(function* () {
    const made = yield* askHost((host, surroundings) => host.restore(given, surroundings))
    yield* sayDone(made, json, `The store is as it was: ${held(made)}. ${agreement(made)}`.trim())
    if (!made.credits_agree)
      return yield* failed("Balances and entries do not agree: earmark credits verify says where.")
  }),
).pipe(Command.withDescription(groups.restore))

export const backupPage: Page = {
  name: "backup",
  descriptor: backup.descriptor,
  examples: [
    "earmark backup earmark.backup",
    'EARMARK_DATABASE_URL="$URL" earmark backup "$(date +%F).backup"',
  ],
  children: [],
}

export const restorePage: Page = {
  name: "restore",
  descriptor: restore.descriptor,
  examples: ["earmark restore earmark.backup", "EARMARK_DATA_DIR=elsewhere earmark restore earmark.backup"],
  children: [],
}
