import { afterAll, beforeAll, describe } from "@effect/vitest"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { type StoreForTests, storesForTests } from "../../servers/stores.js"
import { eventStatements } from "./eventStatements.js"
import { jobStatements } from "./jobStatements.js"
import { quietLog } from "./quietLog.js"
import { sourceStatements } from "./sourceStatements.js"
import { because, clientOf, ffmpegMissing, startWeb, type Web } from "./world.js"

/** Every numbered statement of the specification over a real socket, on every store. */
for (const { name, missing, start } of storesForTests) {
  describe.skipIf(ffmpegMissing !== null || missing !== null)(
    `on ${name}${because(ffmpegMissing, missing)}`,
    () => {
      let store: StoreForTests | undefined
      let server: EarmarkServer
      let web: Web

      beforeAll(async () => {
        store = await start()
        web = await startWeb()
        server = await startEarmark({ ...store.environment, EARMARK_LOG_LEVEL: "debug" })
      }, 120_000)

      afterAll(async () => {
        web?.stop()
        await server?.stop()
        await store?.stop()
      }, 60_000)

      const world = () => ({ server, web, call: clientOf(server) })
      jobStatements(world)
      sourceStatements(world)
      eventStatements(world)
      quietLog(world)
    },
  )
}
