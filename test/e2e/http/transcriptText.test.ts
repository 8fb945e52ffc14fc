import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { writeWav } from "@earmark/core/audio"
import { conversation } from "@earmark/testkit"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { freePort } from "../../servers/processes.js"
import { assertProblem, JOBS, listOf } from "./asking.js"
import { clientOf, ffmpegMissing } from "./world.js"

const SAID = readFileSync("examples/quickstart/museum-said.txt", "utf8").trim().replaceAll("\n", " ")

/** `POST /transcriptions` with the text of the recording: real media, the decoder and the aligner of the service. */
describe.skipIf(ffmpegMissing !== null)(`a text for a recording${because(ffmpegMissing)}`, () => {
  let web: Server
  let base: string
  let server: EarmarkServer
  let call: ReturnType<typeof clientOf>

  beforeAll(async () => {
    const media = readFileSync("examples/quickstart/museum.ogg")
    const long = writeWav(conversation({ seed: 7, speakers: 1, turns: 90, seconds: [1.5, 2] }).samples)
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    web = createServer(({ url }, response) => {
      const isLong = url?.startsWith("/long") === true
      response
        .writeHead(200, { "Content-Type": isLong ? "audio/wav" : "audio/ogg" })
        .end(isLong ? long : media)
    })
    await new Promise<void>((resolve) => web.listen(port, "127.0.0.1", () => resolve()))
    // It would answer every job with its own words.
    server = await startEarmark({ EARMARK_ENGINE: "scripted", EARMARK_BILLING: "off" })
    call = clientOf(server)
  }, 120_000)

  afterAll(async () => {
    await server?.stop()
    web?.closeAllConnections()
    web?.close()
  }, 60_000)

  const ended = async (request: Record<string, unknown>) => {
    const made = await call(JOBS, { body: request })
    assert.include([200, 202], made.status, made.text)
    const job = await call(`${JOBS}/${made.body.id}?wait=60&include=words`)
    return job.body
  }

  it("gives every word the time at which it is said", async () => {
    const job = await ended({ url: `${base}/museum.ogg`, transcript_text: SAID })
    assert.deepInclude(job, { status: "done", engine: "aligner", word_timing: "aligned", text: SAID })
    const words = listOf(job.segments).flatMap(({ words }) => listOf(words))
    assert.deepStrictEqual(
      words.map(({ text }) => text),
      SAID.split(" "),
    )
    // The second voice begins behind the longest pause.
    const answer = words.find(({ text }) => text === "Thank")
    assert.isAbove(Number(answer?.start), 5.4)
    assert.isBelow(Number(answer?.start), 6.2)
    const exported = await call(`${JOBS}/${job.id}/export?format=vtt&word_level=true`)
    assert.match(exported.text, /Good <00:00:0[01]\.\d{3}>morning,/)
  })

  it("says when the text is not what is said", async () => {
    const other =
      "Das ist ein ganz anderer Text, der hier gar nicht gesagt wird und von etwas anderem handelt."
    const job = await ended({ url: `${base}/museum.ogg`, transcript_text: other })
    assert.deepInclude(job, { status: "done", word_timing: "estimated" })
    assert.deepInclude(Object(job.integrity).flags, "interpolated_words")
    assert.include(
      listOf(job.warnings).map(({ code }) => code),
      "word_times_estimated",
    )
  })

  it("fails where the letters of a long text cannot be spelled out, and says which can", async () => {
    const job = await ended({ url: `${base}/long.wav`, transcript_text: "早上好 ".repeat(400) })
    assert.deepInclude(job, { status: "failed", billed_minutes: 0 })
    assert.deepInclude(job.failure, { code: "language_unsupported" })
    assert.match(String(job.error), /Latin, Cyrillic and Greek letters can/)
  })

  const refused: ReadonlyArray<readonly [string, Record<string, unknown>, number, string]> = [
    ["an empty text", { transcript_text: "" }, 400, "invalid_request"],
    ["a text without words", { transcript_text: " ... " }, 400, "invalid_request"],
    ["a text that is too long", { transcript_text: "a ".repeat(250_001) }, 400, "invalid_request"],
    ["a text larger than a body", { transcript_text: "a ".repeat(700_000) }, 413, "too_large"],
    ["a text and a quality", { transcript_text: SAID, quality: "fast" }, 400, "invalid_request"],
    ["a text and an engine", { transcript_text: SAID, engine: "sherpa" }, 400, "unknown_field"],
  ]
  for (const [what, body, status, code] of refused)
    it(`refuses ${what}`, async () => {
      assertProblem(await call(JOBS, { body: { url: `${base}/museum.ogg`, ...body } }), status, code)
    })
})
