import { objectStoreContract, rateLimiterContract, storeContracts } from "@earmark/testkit/contracts"
import { memoryBackend, memoryLimiter, memoryObjects } from "./backends.js"

storeContracts("memory", memoryBackend)
objectStoreContract("memory", memoryObjects)
rateLimiterContract("memory", memoryLimiter)
