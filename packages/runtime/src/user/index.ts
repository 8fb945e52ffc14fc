/** What this user has on this machine: saved servers, defaults, and what runs keep. */
export { type Defaults, DefaultsRefused, defaultsPath, readDefaults } from "./defaults.js"
export {
  forgetProfile,
  type Profiles,
  ProfilesRefused,
  profilesPath,
  readProfiles,
  saveProfile,
  useProfile,
} from "./profiles.js"
export {
  findServer,
  isServerInUse,
  readAddress,
  type ServerAccess,
  type ServerNamed,
  ServerUnknown,
} from "./servers.js"
export { libraryFolder, stateFolder } from "./stateFolder.js"
