import { assert, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { postgresMissing } from "../../servers/postgresServer.js"
import { redisMissing } from "../../servers/redisServer.js"
import { runBench } from "../benchRows.js"
import { ffmpegMissing } from "./world.js"

/** The bench does it a hundred times. */
const ROLLS = "6"

describe.skipIf(ffmpegMissing !== null || postgresMissing !== null || redisMissing !== null)(
  `a fleet whose processes are restarted one after the other${because(ffmpegMissing, postgresMissing, redisMissing)}`,
  () => {
    it("answers every request, stops in order, and goes on with the work", async () => {
      const { code, rows, stderr } = await runBench("rolls", [], { EARMARK_BENCH_ROLLS: ROLLS })
      assert.strictEqual(code, 0, `${stderr}${JSON.stringify(rows, null, 2)}`)
      assert.lengthOf(rows, 5)
      const jobs = rows.flatMap(({ bench }) => /^jobs not done, of (\d+)$/.exec(bench)?.[1] ?? [])
      assert.isAbove(Number(jobs[0]), 10)
    }, 240_000)
  },
)
