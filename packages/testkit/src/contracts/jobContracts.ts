import { batchCases } from "./batchCases.js"
import type { Backend, StoreCase, Stores } from "./Case.js"
import { runCases } from "./Case.js"
import { claimCases } from "./claimCases.js"
import { createCases } from "./createCases.js"
import { endCases } from "./endCases.js"
import { findCases } from "./findCases.js"
import { listCases } from "./listCases.js"
import { batchOrderCases } from "./orderCases.js"
import { progressCases } from "./progressCases.js"
import { questionCases } from "./questionCases.js"
import { readCases } from "./readCases.js"
import { searchCases } from "./searchCases.js"
import { sourceCases } from "./sourceCases.js"
import { workCases } from "./workCases.js"

export const jobStoreCases: ReadonlyArray<StoreCase> = [
  ...createCases,
  ...readCases,
  ...listCases,
  ...findCases,
  ...searchCases,
  ...questionCases,
  ...endCases,
  ...batchCases,
  ...batchOrderCases,
]

export const jobQueueCases: ReadonlyArray<StoreCase> = [
  ...claimCases,
  ...workCases,
  ...progressCases,
  ...sourceCases,
]

/** Every layer of `JobStore` passes this suite unchanged. */
export const jobStoreContract = <Own, E>(name: string, backend: Backend<Stores, Own, E>): void =>
  runCases(`JobStore: ${name}`, backend, jobStoreCases)

/** Every layer of `JobQueue` passes this suite unchanged. */
export const jobQueueContract = <Own, E>(name: string, backend: Backend<Stores, Own, E>): void =>
  runCases(`JobQueue: ${name}`, backend, jobQueueCases)
