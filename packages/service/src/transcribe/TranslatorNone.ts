import { Effect, Layer } from "effect"
import { Translator, WorkFailed } from "../ports/Speech.js"

/** Nobody translates here: requests that want it are refused; where one was taken before, that extra fails, and the job is done all the same. */
export const layer = Layer.succeed(Translator, {
  id: "none",
  isThere: false,
  translate: () =>
    Effect.fail(
      new WorkFailed({
        code: "engine_unavailable",
        isTransient: false,
        detail: "No translator is set up: there is no translation service and no text model.",
      }),
    ),
})
