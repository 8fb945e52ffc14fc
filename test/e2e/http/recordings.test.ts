/** The recording of a job, from the real worker to the real server: a copy of what a link led to, its waveform, and their end. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { JOBS, makeJob } from "./asking.js"
import { clientOf, ffmpegMissing, startWeb, type Web } from "./world.js"

let server: EarmarkServer
let web: Web
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  web = await startWeb()
  server = await startEarmark()
  call = clientOf(server)
}, 120_000)

afterAll(async () => {
  web?.stop()
  await server?.stop()
}, 60_000)

const ENDS_WITHIN = 60_000

const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

/** How many objects the server keeps. A folder that is moved while it is looked through is looked for again. */
const objects = (): number => {
  const folder = server.environment.EARMARK_DATA_DIR ?? ""
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (path) => path.endsWith("facts.json") && existsSync(join(folder, path)),
    ).length
  } catch (error) {
    if (isGone(error) && existsSync(folder)) return objects()
    throw error
  }
}

describe.skipIf(ffmpegMissing !== null)(`the recording of a link${because(ffmpegMissing)}`, () => {
  it("is played from a copy that is made with the transcript, and goes with it", async () => {
    const id = await makeJob({ server, web, call, store: {} }, { url: `${web.base}/1.wav` })
    const { body, status } = await call(`${JOBS}/${id}/media-link`, { method: "POST" })
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { content_type: "audio/mp4", exact_seek: true })
    const part = await fetch(String(body.url), { headers: { Range: "bytes=4-7" } })
    assert.deepStrictEqual([part.status, await part.text()], [206, "ftyp"])
    const waveform = await call(`${JOBS}/${id}/waveform?points=50`)
    assert.deepStrictEqual([waveform.status, waveform.headers.get("content-length")], [200, "50"])
    assert.strictEqual(objects(), 2)
    assert.strictEqual((await call(`${JOBS}/${id}`, { method: "DELETE" })).status, 204)
    assert.strictEqual((await fetch(String(body.url))).status, 404)
    for (const end = Date.now() + ENDS_WITHIN; objects() > 0; ) {
      assert.isBelow(Date.now(), end, "the copy and the waveform are still there")
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  })
})
