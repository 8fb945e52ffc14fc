/** Jobs that waited for credits when billing was turned off. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { startEarmark } from "../../servers/earmarkServer.js"
import { serveFiles } from "../site.js"
import { clientOf, ffmpegMissing, recording, until } from "./world.js"

const JOBS = "/api/v1/transcriptions"
const base = serveFiles((url) => (url.startsWith("/long") ? ["audio/wav", recording(1, 80)] : undefined))

const folder = mkdtempSync(join(tmpdir(), "earmark-billing-off-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(ffmpegMissing !== null)(
  `a server whose billing is turned off${because(ffmpegMissing)}`,
  () => {
    it("goes on with what waited for credits, and holds nothing", async () => {
      const billing = await startEarmark({ EARMARK_DATA_DIR: folder, EARMARK_FREE_CREDITS: "1" })
      const ask = clientOf(billing)
      const { id } = (await ask(JOBS, { body: { url: `${base()}/long.wav` } })).body
      await until(
        () => ask(`${JOBS}/${id}`),
        ({ body }) => body.phase === "waiting_for_credits",
      )
      await billing.stop()

      const free = await startEarmark({ EARMARK_DATA_DIR: folder, EARMARK_BILLING: "off" })
      const askAgain = clientOf(free)
      const { body } = await askAgain(`${JOBS}/${id}?wait=30`)
      const credits = (await askAgain("/api/v1/credits")).body
      await free.stop()
      assert.strictEqual(body.status, "done")
      assert.deepInclude(credits, { billing: false, balance: 1, held: 0 })
    }, 90_000)
  },
)
