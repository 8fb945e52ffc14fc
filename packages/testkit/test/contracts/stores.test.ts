import { objectStoreContract, rateLimiterContract, storeContracts } from "@earmark/testkit/contracts"
import { memoryBackend, memoryLimiter, memoryObjects } from "./memory.js"

storeContracts("memory", memoryBackend)
objectStoreContract("memory", memoryObjects)
rateLimiterContract("memory", memoryLimiter)
