import { joinUnits } from "@earmark/core/text"
import { assert, it } from "@effect/vitest"

it("joins with a space where the script has one", () => {
  assert.strictEqual(joinUnits(["one", "two"]), "one two")
  assert.strictEqual(joinUnits(["今日", "は"]), "今日は")
  assert.strictEqual(joinUnits(["สวัสดี", "ครับ"]), "สวัสดีครับ")
  assert.strictEqual(joinUnits(["한국어", "문장"]), "한국어 문장")
  assert.strictEqual(joinUnits(["Node", "は"]), "Node は")
})
