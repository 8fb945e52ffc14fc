// @effect-diagnostics strictEffectProvide:off -- a download has its own door
/** The models of this machine, with the engines that its settings choose. */
import { chooseEngine, type Model, missingDefaults, type PullOptions, pullModel } from "@earmark/engines"
import { FetcherNode } from "@earmark/media"
import { Effect } from "effect"
import { engineSettings } from "../parts/engineSettings.js"
import type { Settings } from "../settings/Settings.js"
import { withSettingNames } from "../settings/settingNames.js"

/** The models that are missing to hear a language well; where there are none, why nothing here hears it all the same. */
export const modelsFor = Effect.fnUntraced(function* (
  settings: Settings,
  asked: Parameters<typeof missingDefaults>[2],
) {
  const chosen = engineSettings(settings)
  const models = yield* missingDefaults(chosen, "auto", asked)
  if (models.length > 0) return { models, trouble: null }
  const { engine, why } = yield* withSettingNames(chooseEngine(chosen, "auto", asked.language))
  return { models, trouble: engine === null ? why : null }
})

/** Gets a model through the guarded door. */
export const getModel = (folder: string, model: Model, options: PullOptions) =>
  Effect.provide(pullModel(folder, model, options), FetcherNode.layer())
