import { makeChanges, makeConnector } from "@earmark/mcp"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { callerOf, startWorld, type World } from "../world.js"
import { fixtures } from "./fixtures.js"
import { listen } from "./listen.js"
import { runSuite } from "./suite.js"

let world: World
let server: Awaited<ReturnType<typeof listen>>

beforeAll(async () => {
  world = await startWorld()
  const account = await world.newAccount()
  const changes = makeChanges()
  const { backendFor } = world
  const extras = fixtures(changes.tell, account)
  server = await listen(makeConnector({ backendFor, sessions: true, changes, extras }), callerOf(account))
}, 60_000)
afterAll(async () => {
  server?.stop()
  await world?.stop()
})

describe("the conformance suite, in full", () => {
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    it(`finds nothing against ${revision}`, { timeout: 240_000 }, async () => {
      const { problems, passed, scenarios } = await runSuite(server.url, revision)
      process.stderr.write(`${revision}: ${scenarios} scenarios, ${passed} checks\n`)
      assert.deepStrictEqual(problems, [])
    })
  }
})
