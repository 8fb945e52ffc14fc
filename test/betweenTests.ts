import { afterAll, afterEach, it, makeMethods } from "@effect/vitest"
import { vi } from "vitest"

// What `layer` of a file before has made of `it` is not for this one.
makeMethods(it)

// Tests that never wait keep their process from reading what Vitest answers, which it gives up for lost after a minute.
afterEach(() => new Promise<void>((resolve) => setImmediate(resolve)))

// What a file has stubbed is no more for the next one.
afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
