// LangChain's transcription client as its makers publish it. Its packages take 119 MB, which is too much for a
// dependency of the project: npm installs what langChain/package-lock.json pins, once for this user.

import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { root } from "../earmark.js"
import { listOf } from "./asking.js"
import { clientOf, ffmpegMissing, recording } from "./world.js"

const run = promisify(execFile)

const source = join(root, "test/e2e/http/langChain")

/** Loads as the documentation of LangChain shows, and writes each list of documents as a line of JSON. */
const PROGRAM = `
  import { readFileSync } from "node:fs"
  import { OpenAIWhisperAudio } from "@langchain/community/document_loaders/fs/openai_whisper_audio"

  const [file, baseURL, apiKey] = process.argv.slice(1)
  const clientOptions = { baseURL, apiKey, maxRetries: 0 }
  const blob = new Blob([readFileSync(file)], { type: "audio/wav" })
  const options = [
    [file, { clientOptions }],
    [blob, { clientOptions }],
    [file, { clientOptions, transcriptionCreateParams: { language: "de", response_format: "verbose_json" } }],
    [file, { clientOptions: { ...clientOptions, apiKey: "em_live_x" } }],
  ]

  for (const [source, fields] of options) {
    const loaded = await new OpenAIWhisperAudio(source, fields).load().catch(({ status, code }) => ({ status, code }))
    process.stdout.write(JSON.stringify(loaded) + "\\n")
  }
`

/** The folder that holds the client; null, said aloud, where the registry does not answer. */
const installed = async (): Promise<string | null> => {
  const lock = createHash("sha256")
    .update(readFileSync(join(source, "package-lock.json")))
    .digest("hex")
  const clients = join(homedir(), ".cache", "earmark", "clients")
  const folder = join(clients, `langchain-${lock.slice(0, 16)}`)
  if (existsSync(folder)) return folder
  mkdirSync(clients, { recursive: true })
  const place = mkdtempSync(`${folder}-`)
  for (const name of ["package.json", "package-lock.json"])
    copyFileSync(join(source, name), join(place, name))
  process.stderr.write("Installing LangChain's client for the tests (56 MB, once) ...\n")
  try {
    await run("npm", ["ci", "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: place,
    })
    renameSync(place, folder)
    return folder
  } catch (error) {
    if (existsSync(folder)) return folder
    if (!/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT/.test(String(Object(error).stderr))) throw error
    process.stderr.write("LangChain's client is not tested: the npm registry does not answer.\n")
    return null
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

let server: EarmarkServer
const place = mkdtempSync(join(tmpdir(), "earmark-langchain-"))

beforeAll(async () => {
  server = await startEarmark({ EARMARK_BILLING: "off" })
}, 120_000)

afterAll(async () => {
  await server?.stop()
  rmSync(place, { recursive: true })
}, 60_000)

describe.skipIf(ffmpegMissing !== null)(`LangChain's client${because(ffmpegMissing)}`, () => {
  it("loads files and blobs as documents, and is refused with the status that it knows", async ({ skip }) => {
    const folder = await installed()
    if (folder === null) return skip()
    const file = join(place, "speech.wav")
    writeFileSync(file, recording(1))
    const args = ["--input-type=module", "-e", PROGRAM, file, `${server.baseUrl}/v1`, server.key]
    const ran = await run(process.execPath, args, { cwd: folder })
    const [[named], [blob], [german], refused] = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))

    assert.deepStrictEqual(named.metadata, { source: file })
    assert.deepStrictEqual(blob.metadata, { source: "blob", blobType: "audio/wav" })
    assert.deepStrictEqual(refused, { status: 401, code: "unauthorized" })

    const call = clientOf(server)
    const { body } = await call("/api/v1/transcriptions")
    const jobs = listOf(body.data)
    assert.deepStrictEqual(
      jobs.map(({ title, options }) => [title, Object(options).language]),
      [
        ["speech", "de"],
        ["wav", null],
        ["speech", null],
      ],
    )
    const texts = await Promise.all(
      jobs.map(({ id }) => call(`/api/v1/transcriptions/${id}/export?format=txt`)),
    )
    assert.isAbove(named.pageContent.length, 20)
    assert.deepStrictEqual(
      [german.pageContent, blob.pageContent, named.pageContent],
      texts.map(({ text }) => text.trim().replaceAll(/\s+/g, " ")),
    )
  }, 600_000)
})
