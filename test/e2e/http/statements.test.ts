import { afterAll, beforeAll, describe } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { type StoreForTests, storesForTests } from "../../servers/stores.js"
import { accountStatements } from "./accountStatements.js"
import { agentStatements } from "./agentStatements.js"
import { clipProgram } from "./clipProgram.js"
import { eventStatements } from "./eventStatements.js"
import { jobStatements } from "./jobStatements.js"
import { quietLog } from "./quietLog.js"
import { LONG_FORM_SECONDS, sourceStatements } from "./sourceStatements.js"
import { clientOf, ffmpegMissing, startWeb, type Web } from "./world.js"

/** Every numbered statement of the specification over a real socket, on every store. */
for (const { name, missing, start } of storesForTests) {
  describe.skipIf(ffmpegMissing !== null || missing !== null)(
    `on ${name}${because(ffmpegMissing, missing)}`,
    () => {
      let store: StoreForTests | undefined
      let server: EarmarkServer
      let web: Web
      let clips: ReturnType<typeof clipProgram>

      beforeAll(async () => {
        store = await start()
        web = await startWeb()
        clips = clipProgram()
        server = await startEarmark({
          ...store.environment,
          EARMARK_LOG_LEVEL: "debug",
          EARMARK_LONG_FORM_SECONDS: String(LONG_FORM_SECONDS),
          EARMARK_MAX_MEDIA_MINUTES: "5",
          EARMARK_PROXIES: "1",
          EARMARK_TRANSLATE_URL: `${web.base}/libre`,
          EARMARK_WEBHOOK_TIMEOUT_SECONDS: "1",
          EARMARK_YTDLP: clips.program,
        })
      }, 120_000)

      afterAll(async () => {
        web?.stop()
        await server?.stop()
        await store?.stop()
        clips?.remove()
      }, 60_000)

      const world = () => ({ server, web, call: clientOf(server), store: store?.environment ?? {} })
      jobStatements(world)
      sourceStatements(world)
      eventStatements(world)
      accountStatements(world)
      agentStatements(world)
      quietLog(world)
    },
  )
}
