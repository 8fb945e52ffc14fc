import { Effect, Option } from "effect"
import { failed } from "../CommandFailed.js"
import { askTarget } from "./ask.js"
import type { Target } from "./target.js"

const OPTIONS = { diarize: "--diarize", word_level_export: "--word-level" } as const

type Feature = keyof typeof OPTIONS

/** Whether the account may have what is asked for: the server alone would say so when a file is uploaded, or the work is paid for. */
export const checkFeatures = (target: Target, wanted: ReadonlyArray<Feature>) =>
  Effect.gen(function* () {
    if (wanted.length === 0) return
    const asked = yield* Effect.option(askTarget(target, (client, call) => client.credits.get(call)))
    // A key that may not look at credits may still transcribe; whatever else is amiss, the work tells of it.
    if (Option.isNone(asked)) return
    const locked = wanted.find((feature) => !asked.value.features[feature])
    if (locked === undefined) return
    return yield* failed(
      `${OPTIONS[locked]} is unlocked by any one-time purchase: buy credits at ${target.baseUrl}/console/billing, or with POST /api/v1/credits/purchases. Leave it out, or work on this machine: --local. [feature_locked]`,
    )
  })
