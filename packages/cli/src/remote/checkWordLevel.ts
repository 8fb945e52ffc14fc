import { Effect, Option } from "effect"
import { failed } from "../CommandFailed.js"
import { askTarget } from "./ask.js"
import type { Target } from "./keys.js"

/** Whether the account may have the time of every word: the export alone would say so, when the work is paid for. */
export const checkWordLevel = (target: Target) =>
  Effect.gen(function* () {
    const asked = yield* Effect.option(
      askTarget(target, (client, { signal }) => client.credits.get({ signal })),
    )
    // A key that may not look at credits may still transcribe; whatever else is amiss, the work tells of it.
    if (Option.isNone(asked) || asked.value.features.word_level_export) return
    return yield* failed(
      "--word-level is unlocked by any one-time purchase: POST /api/v1/credits/purchases. Leave it out, or work on this machine: --local. [feature_locked]",
    )
  })
