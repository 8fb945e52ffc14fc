import { assert, it } from "@effect/vitest"
import { notWritten } from "../src/results/writeFile.js"

it("a file that cannot be written is told with an advice that fits", () => {
  assert.strictEqual(
    notWritten("a.txt", "ENOSPC: no space left on device, write").message,
    "Could not write a.txt: the disk is full. Make room, or name a file on another disk.",
  )
  assert.strictEqual(
    notWritten("a.txt", "EACCES: permission denied, open").message,
    "Could not write a.txt: you may not write there. Name a file in a folder that exists and that you may write to.",
  )
})
