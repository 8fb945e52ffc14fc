import { afterEach } from "vitest"

// Tests that never wait keep a process that they share from reading what Vitest answers, which it gives up for lost after a minute.
afterEach(() => new Promise<void>((resolve) => setImmediate(resolve)))
