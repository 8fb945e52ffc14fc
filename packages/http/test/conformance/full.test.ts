import { makeChanges } from "@earmark/mcp"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { connect } from "../agents/app.js"
import { type Host, startHost } from "../agents/world.js"
import { fixtures } from "./fixtures.js"
import { runSuite } from "./suite.js"
import { type Passage, withToken } from "./withToken.js"

const SCOPES = "transcriptions:read transcriptions:write billing:read"

const changes = makeChanges()
let host: Host
let passage: Passage

beforeAll(async () => {
  let account = ""
  const extras = fixtures((kind) => changes.tell({ account, kind }))
  host = await startHost({ product: { changes, extras } })
  const made = await host.newKey()
  account = made.account
  const { access } = await connect(host, made.key, { scope: SCOPES })
  passage = await withToken(host.mcp, access)
}, 60_000)
afterAll(async () => {
  passage?.stop()
  await host?.stop()
})

/** How many scenarios each has: one that is left out by mistake is seen. */
const REVISIONS = [
  { revision: "2025-11-25", scenarios: 31 },
  { revision: "2026-07-28", scenarios: 47, also: /^tasks-/ },
] as const

describe.concurrent("the conformance suite, in full, with the token of an app", () => {
  for (const { revision, scenarios, ...choice } of REVISIONS) {
    it(`finds nothing against ${revision}`, { timeout: 240_000 }, async () => {
      const found = await runSuite(passage.url, revision, choice)
      process.stderr.write(`${revision}: ${found.scenarios} scenarios, ${found.passed} checks\n`)
      assert.deepStrictEqual(found.problems, [])
      assert.strictEqual(found.scenarios, scenarios)
    })
  }
})
