export { accountsCases, idempotencyCases } from "./accountCases.js"
export { type Backend, type Case, type StoreCase, StoreClock, type Stores, withClock } from "./Case.js"
export { editCases } from "./editCases.js"
export { historyCases } from "./historyCases.js"
export {
  jobQueueCases,
  jobQueueContract,
  jobStoreCases,
  jobStoreContract,
} from "./jobContracts.js"
export { addEndpoint, createDone, createJob, newAccount } from "./makers.js"
export { onManualClock } from "./manualClock.js"
export { accountLinkCases, oauthRecordCases } from "./oauthCases.js"
export { objectStoreCases, objectStoreContract } from "./objectStoreContract.js"
export { publicationCases } from "./publicationCases.js"
export { rateLimiterCases, rateLimiterContract } from "./rateLimiterContract.js"
export { type SpeechBackend, speechEngineCases, speechEngineContract } from "./speechEngineContract.js"
export {
  accountLinksContract,
  accountsContract,
  apiKeysCases,
  apiKeysContract,
  historyContract,
  idempotencyContract,
  ledgerCases,
  ledgerContract,
  oauthRecordsContract,
  paymentCases,
  paymentStoreContract,
  storeContracts,
  uploadStoreContract,
  webhookStoreCases,
  webhookStoreContract,
} from "./storeContracts.js"
export { storeKeyCases } from "./storeKeyCases.js"
export { uploadStoreCases } from "./uploadCases.js"
