import { objectStoreContract, rateLimiterContract, storeContracts } from "@earmark/testkit/contracts"
import { describe, it } from "@effect/vitest"
import { TestClock } from "effect"
import { memoryBackend, memoryLimiter, memoryObjects } from "./backends.js"

storeContracts("memory", memoryBackend)
objectStoreContract("memory", memoryObjects)
rateLimiterContract("memory", memoryLimiter)

describe("what comes after a suite", () => {
  it.effect("has the clock of tests", () => TestClock.adjust("1 hour"))
})
