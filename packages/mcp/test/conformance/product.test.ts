import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { callerOf, startWorld, type World } from "../world.js"
import { listen } from "./listen.js"
import { MISSING_FIXTURE, runSuite } from "./suite.js"

let world: World
let server: Awaited<ReturnType<typeof listen>>

beforeAll(async () => {
  world = await startWorld()
  server = await listen(world.connector, callerOf(await world.newAccount()))
}, 60_000)
afterAll(async () => {
  server?.stop()
  await world?.stop()
})

describe("the conformance suite, on the product alone", () => {
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    it(`finds nothing against ${revision}`, { timeout: 240_000 }, async () => {
      const { problems, passed, scenarios } = await runSuite(server.url, revision, {
        leftOut: MISSING_FIXTURE,
      })
      process.stderr.write(`${revision}: ${scenarios} scenarios, ${passed} checks\n`)
      assert.deepStrictEqual(problems, [])
      assert.isAbove(passed, 15)
    })
  }
})
