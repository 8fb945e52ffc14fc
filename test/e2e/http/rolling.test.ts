import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Fleet, startFleet } from "../../servers/fleet.js"
import { postgresMissing } from "../../servers/postgresServer.js"
import { redisMissing } from "../../servers/redisServer.js"
import { because, ffmpegMissing } from "./world.js"

/** `npm run bench -- rolls` does it a hundred times. */
const ROLLS = 6

describe.skipIf(ffmpegMissing !== null || postgresMissing !== null || redisMissing !== null)(
  `a fleet whose processes are restarted one after the other${because(ffmpegMissing, postgresMissing, redisMissing)}`,
  () => {
    let fleet: Fleet

    beforeAll(async () => {
      fleet = await startFleet()
    }, 120_000)

    afterAll(async () => {
      await fleet?.stop()
    }, 60_000)

    it("answers every request, stops in order, and goes on with the work", async () => {
      for (let roll = 0; roll < ROLLS; roll++) {
        const { code, seconds } = await fleet.roll(roll % fleet.size)
        assert.strictEqual(code, 0, `roll ${roll}`)
        assert.isBelow(seconds, 9)
      }
      const { made, done, longestStall, failed } = await fleet.settle()
      assert.deepStrictEqual(failed, [])
      assert.isAbove(made, 10)
      assert.strictEqual(done, made)
      assert.isBelow(longestStall, 20)
    }, 180_000)
  },
)
