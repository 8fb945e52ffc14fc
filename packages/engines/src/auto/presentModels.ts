import { isAbsolute } from "node:path"
import { Effect } from "effect"
import { examineFolder, listAdded, runnableOf } from "../models/addedModels.js"
import { catalogue } from "../models/catalogue.js"
import type { Model } from "../models/Model.js"
import { type ModelState, stateOf } from "../models/Models.js"
import { capital, SettingNames } from "../SettingNames.js"
import { type SherpaModel, sherpaModel } from "../sherpa/SherpaModel.js"
import type { EngineSettings } from "./EngineSettings.js"

/** What was found, and a sentence for each thing that is there and cannot be used. */
export interface Present<Found> {
  readonly found: Found
  readonly faults: ReadonlyArray<string>
}

/** Why a model of the catalogue that somebody began to pull is not used; null for one that is whole, or not there. */
export const faultOf = ({ id }: Model, state: ModelState, folder: string): string | null => {
  if (state !== "corrupt" && state !== "partial") return null
  const what = state === "corrupt" ? "a file of it has the wrong size" : "its download is not finished"
  return `Cannot use the model ${id} in ${folder}: ${what}. Get it again with \`earmark models pull ${id}\`.`
}

const isPath = (text: string) => isAbsolute(text) || /[/\\]/.test(text)

/** The models of the catalogue whose files are all there. */
const pulledModels = Effect.fnUntraced(function* (folder: string) {
  const found: Array<SherpaModel> = []
  const faults: Array<string> = []
  for (const model of catalogue) {
    const runnable = sherpaModel(model, folder)
    if (runnable === null) continue
    const state = yield* stateOf(folder, model)
    const fault = faultOf(model, state, folder)
    if (fault !== null) faults.push(fault)
    if (state === "present") found.push(runnable)
  }
  return { found, faults }
})

const addedModels = Effect.fnUntraced(function* (modelsFolder: string) {
  const found: Array<SherpaModel> = []
  const faults: Array<string> = []
  for (const { added, state } of yield* listAdded(modelsFolder)) {
    const { name, folder } = added
    if (state === "present") found.push(runnableOf(added))
    else {
      const what =
        state === "absent" ? `its files are not in ${folder}` : `its files in ${folder} have changed`
      faults.push(
        `Cannot use the added model ${name}: ${what}. Add it again with \`earmark models add\`, or forget it with \`earmark models remove ${name}\`.`,
      )
    }
  }
  return { found, faults }
})

/** The models of the models folder: those that were pulled, and that were added. */
const keptModels = Effect.fnUntraced(function* (modelsFolder: string) {
  const pulled = yield* pulledModels(modelsFolder)
  const added = yield* addedModels(modelsFolder)
  return { found: [...pulled.found, ...added.found], faults: [...pulled.faults, ...added.faults] }
})

/** The same models with the one that a setting names, and what is wrong with that one. */
const withNamed = Effect.fnUntraced(function* (
  found: ReadonlyArray<SherpaModel>,
  chosen: string | undefined,
): Effect.fn.Return<Present<ReadonlyArray<SherpaModel>>> {
  if (chosen === undefined) return { found, faults: [] }
  const name = capital((yield* SettingNames).sherpaModel)
  if (!isPath(chosen)) {
    const faults = found.some(({ id }) => id === chosen)
      ? []
      : [`${name} names ${chosen}, which is not here: \`earmark models list\` shows what is.`]
    return { found: found.map((model) => ({ ...model, isChosen: model.id === chosen })), faults }
  }
  const folder = yield* Effect.either(examineFolder(chosen))
  if (folder._tag === "Left") return { found, faults: [`${name}: ${folder.left.message}`] }
  const [likeliest] = folder.right
  return { found: [{ ...runnableOf(likeliest), isChosen: true }, ...found], faults: [] }
})

/** The models that sherpa-onnx can run: those that were pulled, that were added, and the one that a setting names. */
export const presentModels = Effect.fnUntraced(function* ({
  modelsFolder,
  sherpaModel: chosen,
}: EngineSettings): Effect.fn.Return<Present<ReadonlyArray<SherpaModel>>> {
  const kept = yield* keptModels(modelsFolder)
  const { found, faults } = yield* withNamed(kept.found, chosen)
  return { found, faults: [...kept.faults, ...faults] }
})

/** Why the model that a setting names cannot be used; nothing where it can, or none is named. */
export const faultsOfNamed = ({ modelsFolder, sherpaModel: chosen }: EngineSettings) =>
  Effect.gen(function* () {
    if (chosen === undefined) return []
    const { found } = yield* keptModels(modelsFolder)
    return (yield* withNamed(found, chosen)).faults
  })
