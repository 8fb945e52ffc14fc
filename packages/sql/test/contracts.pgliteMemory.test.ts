import { rateLimiterContract, storeContracts } from "@earmark/testkit/contracts"
import { pgliteMemory } from "./backends.js"

storeContracts("pgliteMemory", pgliteMemory)
rateLimiterContract("pgliteMemory", pgliteMemory)
