import { join } from "node:path"
import { Effect } from "effect"
import { catalogue } from "../models/catalogue.js"
import type { Model, ModelUse } from "../models/Model.js"
import { type ModelState, stateOf } from "../models/Models.js"
import type { SpeakerModels } from "../sherpa/DiarizerSherpa.js"
import { findSherpa } from "../sherpa/findSherpa.js"

/** Who tells speakers apart, and why in a sentence. */
export type DiarizerChoice = { readonly why: string } & (
  | { readonly diarizer: "sherpa"; readonly models: SpeakerModels }
  /** `faulty`: models that are there and cannot be used. */
  | { readonly diarizer: "classical"; readonly faulty: ReadonlyArray<string> }
)

interface Found {
  readonly id: string
  readonly path: string
  readonly state: ModelState
}

const lookFor = (folder: string, use: ModelUse): Effect.Effect<ReadonlyArray<Found>> =>
  Effect.forEach(
    catalogue.filter((model) => model.use === use),
    (model: Model) =>
      Effect.map(stateOf(folder, model), (state) => ({
        id: model.id,
        path: join(folder, model.id, model.files[0]?.name ?? ""),
        state,
      })),
  )

const isPresent = ({ state }: Found): boolean => state === "present"

/** Models that know voices where they were pulled, the sound alone elsewhere. */
export const chooseDiarizer = Effect.fn("chooseDiarizer")(function* (
  modelsFolder: string,
): Effect.fn.Return<DiarizerChoice> {
  const embeddings = yield* lookFor(modelsFolder, "speakers")
  const segmentations = yield* lookFor(modelsFolder, "turns")
  const faulty = [...embeddings, ...segmentations]
    .filter(({ state }) => state === "corrupt")
    .map(({ id }) => id)
  const embedding = embeddings.find(isPresent)
  if (embedding === undefined)
    return { diarizer: "classical", faulty, why: "by the sound of voices, without a model" }
  if (findSherpa() === null) {
    return {
      diarizer: "classical",
      faulty,
      why: `${embedding.id} needs sherpa-onnx, so by the sound of voices`,
    }
  }
  const segmentation = segmentations.find(isPresent) ?? null
  return {
    diarizer: "sherpa",
    models: { embedding: embedding.path, segmentation: segmentation?.path ?? null },
    why: segmentation === null ? `by ${embedding.id}` : `by ${embedding.id} and ${segmentation.id}`,
  }
})
