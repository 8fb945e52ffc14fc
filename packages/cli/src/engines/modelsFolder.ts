/** What the commands about models do their work with. Loaded by them alone; what downloads and tries models is loaded when it is needed. */
import { Effect } from "effect"

export {
  familyOf,
  forgetAdded,
  type ListedAddedModel,
  listAdded,
  listModels,
  type Model,
  removeModel,
  requireModel,
  runnableOf,
  verifyModel,
} from "@earmark/engines"
export { readSettings, type Settings } from "@earmark/runtime"

/** What downloads models, and tries those of somebody's own. */
export const loadGetting = Effect.promise(() => import("./getting.js"))
