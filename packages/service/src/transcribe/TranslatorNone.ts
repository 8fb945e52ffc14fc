import { Effect, Layer } from "effect"
import { Translator, WorkFailed } from "../ports/Speech.js"

/** Nobody translates here: that extra fails, and the job is done all the same. */
export const layer = Layer.succeed(Translator, {
  translate: () => Effect.fail(new WorkFailed({ code: "engine_unavailable", isTransient: false })),
})
