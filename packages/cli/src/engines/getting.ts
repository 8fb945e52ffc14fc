// @effect-diagnostics strictEffectProvide:off -- loaded by the commands that get models: this is the one place that composes for them
import {
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
import { engineSettings } from "@earmark/runtime"
import { Effect } from "effect"

export { describeDownload, engineSettings, examineModelFolder, missingDefaults, rememberAdded, tryModel }

/** Gets a model through the guarded door. */
export const pull = (folder: string, model: Model, options: PullOptions) =>
  Effect.provide(pullModel(folder, model, options), FetcherNode.layer())
