export { type BackedUp, backupStore, type Restored, restoreStore } from "./backupStore.js"
export { examineMachine } from "./examine/examineMachine.js"
export { examineUnknownSettings } from "./examine/settings.js"
export type { Terminal } from "./firstStart.js"
export type { AllowModels, DownloadObserver, WantedModels } from "./here/getModels.js"
export { type ChosenEngine, makeTranscribers, type TranscribersOptions } from "./here/makeTranscribers.js"
export { getModel, modelsFor } from "./here/models.js"
export { downloadFeedAt, listFeedAt } from "./here/readFeeds.js"
export { answerWithModel, withStaff } from "./here/staff.js"
export { type Migrated, type MigrateOptions, migrateStore, type SecretsKeyChange } from "./migrateStore.js"
export { decoderConfig } from "./parts/decoderConfig.js"
export { logging } from "./parts/logging.js"
export { decoding, decodingFiles, hearing } from "./parts/surroundings.js"
export * as Runtime from "./Runtime.js"
export { administer, isNewStore, reachAdministration, requireStore } from "./reachAdministration.js"
export {
  readSettings,
  type Settings,
  SettingsInvalid,
  settingSections,
  unknownSettings,
} from "./settings/Settings.js"
export { shownSettings } from "./settings/shownSettings.js"
export { shownStorage } from "./shownStorage.js"
export { explainStart } from "./startFailure.js"
