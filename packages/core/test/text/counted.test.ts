import { counted } from "@earmark/core/text"
import { assert, it } from "@effect/vitest"

it("counts one of a thing, and several", () => {
  const shown = [
    counted(0, "word"),
    counted(1, "word"),
    counted(1234, "word"),
    counted(2, "entry", "entries"),
  ]
  assert.deepStrictEqual(shown, ["0 words", "1 word", "1,234 words", "2 entries"])
})
