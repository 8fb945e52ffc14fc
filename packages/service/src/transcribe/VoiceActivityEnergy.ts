import { makeEnergyVoice } from "@earmark/core/audio"
import { warningOf } from "@earmark/core/jobs"
import { Effect, Layer } from "effect"
import { VoiceActivity } from "../ports/Speech.js"

/** Speech is where it is loud: needs no model and no program, and says so. */
export const layer = Layer.succeed(VoiceActivity, {
  id: "energy-1",
  warnings: [warningOf("vad_energy")],
  open: Effect.sync(makeEnergyVoice),
})
