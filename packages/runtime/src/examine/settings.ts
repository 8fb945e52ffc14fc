import type { Finding } from "@earmark/engines"
import { Effect } from "effect"
import { unknownSettings } from "../settings/Settings.js"

/** Names of settings that nothing reads: what they say has no effect. */
export const examineUnknownSettings: Effect.Effect<ReadonlyArray<Finding>> = Effect.map(
  unknownSettings,
  (unknown) =>
    unknown.map(({ name, message }) => ({
      name: "settings",
      status: "missing",
      detail: message,
      fix: `correct the name ${name}, or leave it out`,
    })),
)
