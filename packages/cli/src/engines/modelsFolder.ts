/** What the commands about models do their work with. Loaded by them alone; what downloads and tries models is loaded when it is needed. */
import {
  familyOf,
  forgetAdded,
  type ListedAddedModel,
  listAdded,
  listModels,
  type Model,
  type PullOptions,
  removeModel,
  requireModel,
  runnableOf,
  verifyModel,
} from "@earmark/engines"
import { readSettings, type Settings } from "@earmark/runtime"
import { Effect } from "effect"

export type { ListedAddedModel, Model, PullOptions, Settings }
export {
  familyOf,
  forgetAdded,
  listAdded,
  listModels,
  readSettings,
  removeModel,
  requireModel,
  runnableOf,
  verifyModel,
}

/** What downloads models, and tries those of somebody's own. */
export const loadGetting = Effect.promise(() => import("./getting.js"))
