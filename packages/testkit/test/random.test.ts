import { seededRandom } from "@earmark/testkit"
import { assert, it } from "@effect/vitest"

it("gives the same numbers for the same seed, others for another", () => {
  const take = (seed: number) => Array.from({ length: 5 }, seededRandom(seed))
  assert.deepStrictEqual(take(7), take(7))
  assert.notDeepEqual(take(7), take(8))
  assert.isTrue(take(7).every((value) => value >= 0 && value < 1))
})
