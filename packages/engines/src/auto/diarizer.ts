import type { Diarizer, WorkFailed } from "@earmark/service"
import { Effect, Layer } from "effect"
import { chooseDiarizer } from "../diarize/chooseDiarizer.js"
import { layer as classical } from "../diarize/DiarizerClassical.js"
import { layer as sherpa } from "../sherpa/DiarizerSherpa.js"

/** The best that is in the folder of models, told in the log; a model whose file is not what it should be is told as well. */
export const diarizerLayer = (modelsFolder: string): Layer.Layer<Diarizer, WorkFailed> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const choice = yield* chooseDiarizer(modelsFolder)
      yield* Effect.logDebug(`Speakers are told apart ${choice.why}`)
      if (choice.diarizer === "sherpa") return sherpa(choice.models)
      for (const id of choice.faulty) {
        yield* Effect.logWarning(
          `The model ${id} is not what it should be: earmark models remove ${id}, then pull it again`,
        )
      }
      return classical
    }),
  )
