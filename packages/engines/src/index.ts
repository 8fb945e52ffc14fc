export { chooseEngine, type EngineChoice } from "./auto/chooseEngine.js"
export { type Asked, describeDownload, missingDefaults, pullAll } from "./auto/defaultModels.js"
export { defaultEngineSettings, type EngineSettings } from "./auto/EngineSettings.js"
export { examineEngines, examineFolder, examineProgram, type SoughtProgram } from "./doctor/examine.js"
export { type ExtrasSettings, examineExtras } from "./doctor/examineExtras.js"
export { examineHearing } from "./doctor/examineHearing.js"
export type { Finding } from "./doctor/Finding.js"
export { EngineTrouble, troubleOf } from "./failures.js"
export {
  examineFolder as examineModelFolder,
  forgetAdded,
  type ListedAddedModel,
  listAdded,
  rememberAdded,
  runnableOf,
} from "./models/addedModels.js"
export { catalogue, findModel } from "./models/catalogue.js"
export type { Model, ModelFile, ModelUse } from "./models/Model.js"
export { ModelFailed } from "./models/ModelFailed.js"
export {
  bytesOfModel,
  downloadBytesOf,
  type ListedModel,
  listModels,
  type ModelState,
  type PullOptions,
  pullModel,
  removeModel,
  requireModel,
  verifyModel,
} from "./models/Models.js"
export { type EngineSettingNames, SettingNames } from "./SettingNames.js"
export { familyOf } from "./sherpa/layouts.js"
export { tryModel } from "./sherpa/tryModel.js"
