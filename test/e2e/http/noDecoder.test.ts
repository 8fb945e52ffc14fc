import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { serveFiles } from "../site.js"
import { JOBS } from "./asking.js"
import { clientOf, recording, until } from "./world.js"

const museum = readFileSync("examples/quickstart/museum.ogg")
const base = serveFiles((url) =>
  url.startsWith("/museum")
    ? ["audio/ogg", museum]
    : url.startsWith("/plain")
      ? ["audio/wav", recording(1)]
      : undefined,
)

const empty = mkdtempSync(join(tmpdir(), "earmark-no-decoder-"))
// The embedded database needs it.
symlinkSync("/usr/bin/mkfifo", join(empty, "mkfifo"))
afterAll(() => rmSync(empty, { recursive: true, force: true }))

const SERVERS = {
  "whose setting of ffmpeg names nothing": {
    environment: { EARMARK_FFMPEG: "/nope" },
    reason:
      'Only WAV files can be read: the setting of ffmpeg is "/nope", which is not there or cannot be run.',
  },
  "without ffmpeg": {
    environment: { PATH: empty },
    reason: "Only WAV files can be read without ffmpeg; install ffmpeg",
  },
}

for (const [name, { environment, reason }] of Object.entries(SERVERS)) {
  describe(`a server ${name}`, () => {
    let server: EarmarkServer
    let call: ReturnType<typeof clientOf>

    beforeAll(async () => {
      server = await startEarmark({ ...environment, EARMARK_BILLING: "off", EARMARK_LOG_FORMAT: "pretty" })
      call = clientOf(server)
    }, 120_000)

    afterAll(() => server?.stop(), 60_000)

    const warned = () =>
      server
        .log()
        .split("\n")
        .filter((line) => line.includes("Media cannot be decoded."))

    it("warns of it at its start, in one line", async () => {
      const [line = "", ...more] = await until(warned, ({ length }) => length > 0)
      assert.deepStrictEqual(more, [])
      assert.match(line, / WARN /)
      assert.include(line, reason)
    })

    it("does not blame the file, and tells the reason to its operator alone", async () => {
      const made = await call(JOBS, { body: { url: `${base()}/museum.ogg` } })
      const { body, text } = await call(`${JOBS}/${made.body.id}?wait=60`)
      assert.strictEqual(body.status, "failed", text)
      assert.strictEqual(body.error, "The server cannot decode media at the moment; retry the job later.")
      assert.deepInclude(Object(body.failure), { code: "internal_error", retryable: true, attempts: 1 })
      assert.notMatch(text, /ffmpeg|nope|setting/)
      const about = server.log().slice(server.log().indexOf("An attempt at a job failed"))
      assert.include(about, reason)
    })

    it("transcribes WAV files all the same", async () => {
      const made = await call(JOBS, { body: { url: `${base()}/plain.wav` } })
      const { body, text } = await call(`${JOBS}/${made.body.id}?wait=60`)
      assert.strictEqual(body.status, "done", text)
    })
  })
}
