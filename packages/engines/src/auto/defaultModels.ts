import type { Fetcher } from "@earmark/service"
import { Effect } from "effect"
import { baseOf } from "../languages.js"
import { findModel } from "../models/catalogue.js"
import type { Model } from "../models/Model.js"
import type { ModelFailed } from "../models/ModelFailed.js"
import { downloadBytesOf, pullModel, stateOf } from "../models/Models.js"
import { findSherpa } from "../sherpa/findSherpa.js"
import { pickModel, sherpaModel } from "../sherpa/SherpaModel.js"
import { chooseEngine, type EngineName } from "./chooseEngine.js"
import type { EngineSettings } from "./EngineSettings.js"
import { presentModels } from "./presentModels.js"

/** What `auto` hears English with, by quality. */
const DEFAULTS = { accurate: "moonshine-base", fast: "moonshine-tiny" } as const
const VOICE = "silero-vad"

/** What a recording is to be heard with. */
export interface Asked {
  readonly language: string | null
  readonly quality: "fast" | "accurate"
}

/**
 * The models of the default engine that are missing for a recording. None where something that hears it as well is here, where another
 * engine was set up, where its language is not English, and where the default engine cannot run.
 */
export const missingDefaults = Effect.fn("missingDefaults")(function* (
  settings: EngineSettings,
  wanted: EngineName | "auto",
  { language, quality }: Asked,
): Effect.fn.Return<ReadonlyArray<Model>> {
  if ((wanted !== "auto" && wanted !== "sherpa") || findSherpa() === null) return []
  if (language !== null && baseOf(language) !== "en") return []
  const id = DEFAULTS[quality]
  const model = findModel(id)
  const ideal = model === undefined ? null : sherpaModel(model, settings.modelsFolder)
  if (ideal === null) return []
  const { found } = yield* presentModels(settings)
  const others = found.filter((known) => known.id !== id)
  if (language === null && others.some(({ languages }) => languages === "any" || languages.length > 1))
    return []
  if (pickModel([...others, ideal], "en", quality)?.id !== id) return []
  if (wanted === "auto" && found.length === 0) {
    const { engine } = yield* chooseEngine(settings)
    if (engine === "whisper" || engine === "openai") return []
  }
  const sought = [id, VOICE].flatMap((each) => findModel(each) ?? [])
  return yield* Effect.filter(sought, (each) =>
    Effect.map(stateOf(settings.modelsFolder, each), (state) => state !== "present"),
  )
})

/** Gets models one after the other; tells how many bytes of the whole download are there. */
export const pullAll = (
  folder: string,
  models: ReadonlyArray<Model>,
  {
    onProgress,
    onWait,
  }: { readonly onProgress: (bytes: number, total: number) => void; readonly onWait: Effect.Effect<void> },
): Effect.Effect<void, ModelFailed, Fetcher> => {
  const total = models.reduce((sum, model) => sum + downloadBytesOf(model), 0)
  let before = 0
  return Effect.forEach(
    models,
    (model) => {
      const bytes = downloadBytesOf(model)
      const from = before
      before += bytes
      return pullModel(folder, model, {
        onWait,
        onProgress: (done, all) => onProgress(from + Math.floor((done / all) * bytes), total),
      })
    },
    { discard: true },
  )
}

/** What a download is, for those who are asked or told: its models, its size and its licence. */
export const describeDownload = (models: ReadonlyArray<Model>): string => {
  const names = models.map(({ id }) => id).join(" and ")
  const bytes = models.reduce((sum, model) => sum + downloadBytesOf(model), 0)
  const licences = [...new Set(models.map(({ licence }) => licence))].join(", ")
  return `${names} (${Math.round(bytes / 1_000_000)} MB from npm, ${licences})`
}
