export { serveControl } from "./control/serveControl.js"
export { type Migrated, migrateStore } from "./migrateStore.js"
export { isNewStore, reachAdministration } from "./reachAdministration.js"
export {
  readSettings,
  type Settings,
  SettingsInvalid,
  settingSections,
  unknownSettings,
} from "./settings/Settings.js"
export { explainStart } from "./startFailure.js"
