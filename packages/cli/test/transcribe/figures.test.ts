import { assert, it } from "@effect/vitest"
import { clockAt } from "../../src/transcribe/figures.js"

it("a moment is told by the second that it is in, so that nothing is missed from there on", () => {
  assert.deepStrictEqual([0, 13.68, 59.999, 3599.6].map(clockAt), ["0:00", "0:13", "0:59", "59:59"])
})
