import { onManualClock } from "@earmark/testkit/contracts"
import { ObjectStoreMemory, RateLimiterMemory, StoreMemory } from "../../src/index.js"

export const memoryBackend = onManualClock(StoreMemory.layer)
export const memoryObjects = onManualClock(ObjectStoreMemory.layer)
export const memoryLimiter = onManualClock(RateLimiterMemory.layer)
