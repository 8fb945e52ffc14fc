export { type Backend, type Case, type StoreCase, StoreClock, type Stores, withClock } from "./Case.js"
export { jobQueueCases, jobQueueContract, jobStoreCases, jobStoreContract } from "./jobContracts.js"
