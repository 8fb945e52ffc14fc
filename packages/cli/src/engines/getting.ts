// @effect-diagnostics strictEffectProvide:off -- loaded by the commands that get models: this is the one place that composes for them
import {
  chooseEngine,
  describeDownload,
  examineModelFolder,
  type Model,
  missingDefaults,
  type PullOptions,
  pullModel,
  rememberAdded,
  tryModel,
} from "@earmark/engines"
import { FetcherNode } from "@earmark/media"
import { engineSettings, withSettingNames } from "@earmark/runtime"
import { Effect } from "effect"

export { describeDownload, engineSettings, examineModelFolder, missingDefaults, rememberAdded, tryModel }

/** Why nothing here transcribes a language, and what to do about it; null where something does. */
export const whyNothingHears = (settings: Parameters<typeof chooseEngine>[0], language: string | null) =>
  Effect.map(withSettingNames(chooseEngine(settings, "auto", language)), ({ engine, why }) =>
    engine === null ? why : null,
  )

/** Gets a model through the guarded door. */
export const pull = (folder: string, model: Model, options: PullOptions) =>
  Effect.provide(pullModel(folder, model, options), FetcherNode.layer())
