import { Effect, Logger, LogLevel } from "effect"
import { troubleOf } from "../failures.js"
import { type AddedModel, runnableOf } from "../models/addedModels.js"
import { type ModelFailed, modelFailed } from "../models/ModelFailed.js"
import { humming } from "./humming.js"
import { familyOf } from "./layouts.js"
import { make } from "./Sherpa.js"

/** Whether a model can be loaded, and answers to sound without a crash. */
const answers = (added: AddedModel) =>
  Effect.gen(function* () {
    const engine = yield* make({ models: [runnableOf(added)], workers: 1 })
    yield* engine.recognize(humming(), { language: null, quality: "accurate", vocabulary: [] })
  }).pipe(
    Effect.scoped,
    // What a wrong guess says on its way down is of no use: the last sentence is told.
    Logger.withMinimumLogLevel(LogLevel.None),
  )

/** The first of the families that a folder may be of that works, tried with two seconds of sound. */
export const tryModel = Effect.fn("tryModel")(function* (
  candidates: readonly [AddedModel, ...ReadonlyArray<AddedModel>],
): Effect.fn.Return<AddedModel, ModelFailed> {
  let trouble = ""
  for (const added of candidates) {
    const failure = yield* Effect.flip(answers(added)).pipe(Effect.option)
    if (failure._tag === "None") return added
    // Of several guesses the first is the likeliest, and so is its reason.
    if (trouble === "") trouble = troubleOf(failure.value)
  }
  const [{ files, folder }] = candidates
  return yield* modelFailed(
    "unusable",
    `${folder} looks like a ${familyOf[files.kind]} model and cannot be used. ${trouble.replace(/\.?$/, ".")} Check that its files are complete.`,
  )
})
