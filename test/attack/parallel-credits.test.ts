import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { JOBS, listOf, newAccount } from "../e2e/http/asking.js"
import { clientOf, startWeb, type Web } from "../e2e/http/world.js"
import { because } from "../servers/because.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"
import { type StoreForTests, storesForTests } from "../servers/stores.js"

const CREDITS = 60
const REQUESTS = 75

for (const { name, missing, start } of storesForTests) {
  describe.skipIf(missing !== null)(`seventy-five requests at once, on ${name}${because(missing)}`, () => {
    let store: StoreForTests | undefined
    let web: Web
    const servers: Array<EarmarkServer> = []

    beforeAll(async () => {
      store = await start()
      web = await startWeb()
      const first = await startEarmark({ ...store.environment, EARMARK_ROLE: "api" })
      servers.push(first)
      // Where processes share a store, half of the requests come to another one.
      if (store.environment.EARMARK_DATABASE_URL !== undefined)
        servers.push(
          await startEarmark({
            ...store.environment,
            EARMARK_ROLE: "api",
            EARMARK_DATA_DIR: first.environment.EARMARK_DATA_DIR ?? "",
          }),
        )
    }, 120_000)

    afterAll(async () => {
      web?.stop()
      for (const server of servers.reverse()) await server.stop()
      await store?.stop()
    }, 60_000)

    const serverFor = (index: number): EarmarkServer => {
      const server = servers[index % servers.length]
      return server ?? assert.fail("no server")
    }

    it("get as many jobs as there are credits, and no more", async () => {
      const { key, call } = await newAccount({ server: serverFor(0) }, "parallel@example.org")
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, (_, index) =>
          clientOf({ ...serverFor(index), key })(JOBS, {
            body: { url: `${web.base}/${index + 1}.wav`, quality: "fast" },
          }),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      assert.lengthOf(
        statuses.filter((status) => status === 202),
        CREDITS,
      )
      assert.lengthOf(
        statuses.filter((status) => status === 402),
        REQUESTS - CREDITS,
      )
      const { body } = await call("/api/v1/credits")
      assert.deepInclude(body, { balance: CREDITS, held: CREDITS })
      const { body: jobs } = await call(`${JOBS}?limit=100`)
      assert.lengthOf(listOf(jobs.data), CREDITS)
      assert.match(await serverFor(0).administer("credits", "verify"), /agrees/)
    })

    it("with one Idempotency-Key make one job, and hold one credit", async () => {
      const { key, call } = await newAccount({ server: serverFor(0) }, "once@example.org")
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, (_, index) =>
          clientOf({ ...serverFor(index), key })(JOBS, {
            body: { url: `${web.base}/1.wav` },
            headers: { "Idempotency-Key": "once" },
          }),
        ),
      )
      const ids = new Set(answers.filter(({ status }) => status < 300).map(({ body }) => body.id))
      assert.strictEqual(ids.size, 1)
      for (const { status, body } of answers)
        if (status >= 300) assert.deepStrictEqual([status, body.code], [409, "idempotency_in_progress"])
      assert.deepInclude((await call("/api/v1/credits")).body, { held: 1 })
    })
  })
}
