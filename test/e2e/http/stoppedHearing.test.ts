import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { exited, freePort } from "../../servers/processes.js"
import { cannotHear, repeated } from "../recordings.js"
import { JOBS, listOf } from "./asking.js"
import { clientOf, until } from "./world.js"

/** No window that the engine is given is longer. */
const LONGEST_WINDOW = 28
const MEDIA_SECONDS = 74

/** A job that is really heard, in a service that is stopped half way, and then killed. */
describe.skipIf(cannotHear !== null)(`a hearing that is cut off${because(cannotHear)}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-hearing-"))
  const program = join(folder, "pocketsphinx_batch")
  const log = join(folder, "heard.log")
  let web: Server
  let port: number
  let server: EarmarkServer
  let call: ReturnType<typeof clientOf>

  const start = async () => {
    server = await startEarmark({
      EARMARK_DATA_DIR: join(folder, "data"),
      EARMARK_ENGINE: "pocketsphinx",
      EARMARK_POCKETSPHINX: program,
      EARMARK_WORKERS: "1",
      EARMARK_LEASE_SECONDS: "2",
      EARMARK_GRACE_SECONDS: "1",
    })
    call = clientOf(server)
  }

  beforeAll(async () => {
    const media = readFileSync(repeated(2, join(folder, "talk.wav")))
    writeFileSync(log, "")
    // The program itself, which says after each window how long that was.
    writeFileSync(program, `#!/bin/bash\nexec pocketsphinx_batch "$@" 2> >(exec tee -a ${log} >&2)\n`)
    chmodSync(program, 0o755)
    port = await freePort()
    web = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "audio/wav" }).end(media)
    })
    await new Promise<void>((resolve) => web.listen(port, "127.0.0.1", () => resolve()))
    await start()
  }, 120_000)

  afterAll(async () => {
    await server?.stop()
    web?.closeAllConnections()
    web?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const secondsHeard = () =>
    [...readFileSync(log, "utf8").matchAll(/: w\d+: ([\d.]+) seconds speech/g)].reduce(
      (sum, [, seconds]) => sum + Number(seconds),
      0,
    )

  it("is handed back by a stop, goes on after a kill, and nothing but the window under way is heard twice", async () => {
    const source = { url: `http://127.0.0.1:${port}/talk.wav`, quality: "fast" }
    const { body: made } = await call(JOBS, { body: source })
    const standing = async () => (await call(`${JOBS}/${made.id}`)).body
    /** Until a window more is kept than was before. */
    const further = (than: number) => until(standing, ({ progress }) => Number(progress) > than)
    const first = Number((await further(0.06)).progress)

    server.child.kill("SIGTERM")
    await exited(server.child)
    assert.strictEqual(server.child.exitCode, 0, server.log())
    assert.notInclude(server.log(), '"ERROR"')
    await start()
    const after = await standing()
    assert.deepStrictEqual([after.status, after.failure], ["queued", null])
    assert.isAtLeast(Number(after.progress), first)

    const second = Number((await further(Number(after.progress))).progress)
    server.child.kill("SIGKILL")
    await exited(server.child)
    await start()
    assert.isAtLeast(Number((await standing()).progress), second)

    const ended = await until(
      () => call(`${JOBS}/${made.id}?wait=60`),
      ({ body }) => body.status !== "queued",
    )
    assert.strictEqual(ended.body.status, "done", ended.text)
    assert.isAbove(Number(ended.body.word_count), 50)
    assert.strictEqual(ended.body.billed_minutes, Math.ceil(MEDIA_SECONDS / 60))
    const { speech_seconds: speech, coverage } = Object(ended.body.integrity)
    assert.isAbove(coverage, 0.95)
    assert.isAtLeast(secondsHeard(), speech * 0.9)
    assert.isAtMost(secondsHeard(), MEDIA_SECONDS + LONGEST_WINDOW)
    const entries = listOf((await call("/api/v1/credits/entries")).body.data)
    const settled = entries.filter((entry) => entry.transcription_id === made.id)
    assert.deepStrictEqual(
      settled.map(({ amount }) => amount),
      [-2],
    )
  }, 180_000)
})
