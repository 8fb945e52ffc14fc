/** What transcribes here, with what is asked and told at the terminal. Loaded when a source first needs it: a plan of files does without. */
import { join } from "node:path"
import { readRecord, type Transcribers, writeRecord } from "@earmark/batch"
import { makeTranscribers, type Settings } from "@earmark/runtime"
import { logs as logSettings } from "@earmark/runtime/settings"
import { Clock, Effect, Schema, type Scope } from "effect"
import { agrees, canAsk } from "../consent.js"
import { FORGOTTEN, type makeHints } from "./hints.js"
import type { Teller } from "./Teller.js"

const Declined = Schema.Struct({ at: Schema.Finite })

export interface TranscribersOptions {
  readonly settings: Settings
  /** The state folder of this machine. */
  readonly state: string
  readonly hint: ReturnType<typeof makeHints>
  readonly note: Teller["note"]
  /** Nobody sees what is told. */
  readonly quiet: boolean
  readonly verbose: boolean
}

type Parts = Parameters<typeof makeTranscribers>[0]

/** Asks somebody at the terminal. A no is remembered. */
const askForModels =
  ({ state, hint, quiet }: TranscribersOptions): Parts["mayDownload"] =>
  ({ ids, what, quality }, line) =>
    Effect.gen(function* () {
      const path = join(state, "models-declined.json")
      const isFast = quality === "fast"
      const now = yield* Clock.currentTimeMillis
      const declined = yield* readRecord(path, Declined)
      if (canAsk() && !quiet && now - (declined?.at ?? 0) >= FORGOTTEN) {
        yield* line.end
        if (yield* agrees(`Download ${what} to hear English ${isFast ? "fast" : "well"}?`)) return true
        yield* writeRecord(path, { at: now })
      }
      const names = ids.join(" ")
      yield* hint(
        `models ${names}`,
        `English is heard ${isFast ? "faster" : "better"} with ${what}. Get it with \`earmark models pull ${names}\`, or set EARMARK_MODELS_DOWNLOAD=always.`,
      )
      return false
    })

/** Tells which engine it is, once a month. */
const tellEngine =
  ({ settings, verbose, hint, note }: TranscribersOptions): Parts["onEngine"] =>
  ({ engine, why, faults }) =>
    Effect.gen(function* () {
      for (const fault of faults) yield* note(fault)
      const told = `Engine ${engine}: ${why}`
      // Who sees the log of every step has read it there.
      const isLogged = verbose && settings.engine === "auto" && !(yield* logSettings.logLevel.isSet)
      if (!isLogged) yield* hint(told, told)
    })

export const transcribersOf = (
  options: TranscribersOptions,
  scope: Scope.Scope,
): Effect.Effect<Transcribers> =>
  makeTranscribers(
    {
      settings: options.settings,
      mayDownload: askForModels(options),
      onEngine: tellEngine(options),
    },
    scope,
  )
