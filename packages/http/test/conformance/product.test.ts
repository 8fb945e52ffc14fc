import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { freePort } from "../../../../test/servers/processes.js"
import { connect, register, text } from "../agents/app.js"
import { makeBrowser } from "../agents/browser.js"
import { type Host, startHost } from "../agents/world.js"
import { MISSING_FIXTURE, runAuthorizationSuite, runSuite } from "./suite.js"
import { type Passage, withToken } from "./withToken.js"

let host: Host
let key: string
let passage: Passage

beforeAll(async () => {
  host = await startHost({ product: {} })
  key = (await host.newKey()).key
  const { access } = await connect(host, key, { scope: null })
  passage = await withToken(host.mcp, access)
}, 60_000)
afterAll(async () => {
  passage?.stop()
  await host?.stop()
})

/** What a server without fixtures cannot show is left out; so many checks are left at least. */
const REVISIONS = [
  { revision: "2025-11-25", atLeast: 40 },
  { revision: "2026-07-28", atLeast: 75 },
] as const

describe.concurrent("the conformance suite, on the product alone", () => {
  for (const { revision, atLeast } of REVISIONS) {
    it(`finds nothing against ${revision}`, { timeout: 240_000 }, async () => {
      const { problems, passed, scenarios } = await runSuite(passage.url, revision, {
        leftOut: MISSING_FIXTURE,
      })
      process.stderr.write(`${revision}: ${scenarios} scenarios, ${passed} checks\n`)
      assert.deepStrictEqual(problems, [])
      assert.isAtLeast(passed, atLeast)
    })
  }

  it("finds nothing against the authorization server", { timeout: 60_000 }, async () => {
    const port = await freePort()
    const redirect = `http://127.0.0.1:${port}/callback`
    const client = text((await register(host, { redirect_uris: [redirect] })).body.client_id)
    const facts = { issuer: host.base, resource: host.mcp, client, port }
    const { problems, passed, scenarios } = await runAuthorizationSuite(facts, (address) => {
      void makeBrowser()
        .allow(address, key)
        .then((answer) => fetch(answer))
    })
    assert.deepStrictEqual(problems, [])
    assert.strictEqual(scenarios, 2)
    assert.isAtLeast(passed, 3)
  })
})
