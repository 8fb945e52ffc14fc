import { afterAll, afterEach, it, makeMethods } from "@effect/vitest"
import { vi } from "vitest"
import { endFile } from "./servers/endOfFile.js"

// What `layer` of a file before has made of `it` is not for this one.
makeMethods(it)

// Tests that never wait keep their process from reading what Vitest answers, which it gives up for lost after a minute.
afterEach(() => new Promise<void>((resolve) => setImmediate(resolve)))

// What a file has stubbed or started is no more for the next one.
afterAll(async () => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  await endFile()
})
