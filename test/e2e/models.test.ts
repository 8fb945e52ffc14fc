import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { earmark } from "./earmark.js"

const place = mkdtempSync(join(tmpdir(), "earmark-models-e2e-"))
const environment = { EARMARK_MODELS_DIR: join(place, "models") }
const run = (...args: ReadonlyArray<string>) => earmark(args, "", place, environment)

/** Of the right size, and with other bytes than were pinned. */
const wrongBytes = Buffer.alloc(2_327_524, 7)

const server = createServer((_, response) => {
  response.writeHead(200, { "content-length": wrongBytes.length })
  response.end(wrongBytes)
})

const mirror = (): string => {
  const address = server.address()
  return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
}

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))

afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(place, { recursive: true })
})

describe("earmark models", () => {
  it("lists every model with its state, as a table and as JSON", async () => {
    const { code, stdout } = await run("models", "list")
    assert.strictEqual(code, 0)
    assert.match(stdout, /^MODEL +STATE +SIZE/)
    assert.match(stdout, /^parakeet-tdt-0\.6b-v3 +absent +670 MB/m)
    const listed: ReadonlyArray<Record<string, unknown>> = JSON.parse(
      (await run("models", "list", "--json")).stdout,
    )
    const silero = listed.find(({ id }) => id === "silero-vad")
    assert.deepInclude(silero, { state: "absent", bytes: 2_327_524, licence: "MIT" })
  })

  it("keeps nothing whose bytes are not those that were pinned", async () => {
    const { code, stderr } = await run("models", "pull", "silero-vad", "--mirror", mirror())
    assert.strictEqual(code, 1)
    const sum = createHash("sha256").update(wrongBytes).digest("hex")
    assert.include(stderr, `silero_vad_v6.onnx has the checksum ${sum}, not the pinned 1a153a22`)
    assert.match(stderr, /silero-vad {2}100 %/)
    assert.isFalse(existsSync(join(place, "models", "silero-vad", "silero_vad_v6.onnx")))
  })

  it("takes nothing that asks for more without being told", async () => {
    for (const [id, option] of [
      ["parakeet-tdt-0.6b-v3", "--accept-licence"],
      ["whisper-turbo", "--trust-on-first-use"],
    ] as const) {
      const { code, stderr } = await run("models", "pull", id)
      assert.strictEqual(code, 1)
      assert.include(stderr, option)
    }
  })

  it("verifies what is here, and removes it", async () => {
    const folder = join(place, "models", "silero-vad")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "silero_vad_v6.onnx"), wrongBytes)
    const verified = await run("models", "verify", "silero-vad")
    assert.strictEqual(verified.code, 1)
    assert.strictEqual(verified.stdout, "silero-vad: silero_vad_v6.onnx has a wrong checksum\n")
    assert.strictEqual((await run("models", "remove", "silero-vad")).code, 0)
    assert.isFalse(existsSync(folder))
  })

  it("a command line that is wrong ends with 2, and says what to do", async () => {
    for (const [args, sentence] of [
      [["pull", "parakeet"], /Unknown model "parakeet"; `earmark models list`/],
      [["pull"], /needs <model>/],
      [["pull", "silero-vad", "--mirror", "here"], /--mirror needs an address/],
      [["remove", "../.."], /Unknown model/],
    ] as const) {
      const { code, stderr } = await run("models", ...args)
      assert.strictEqual(code, 2, stderr)
      assert.match(stderr, sentence)
    }
  })
})

describe("earmark doctor", () => {
  it("names what is missing, with the command that gets it, and then ends with 1", async () => {
    const there = await run("doctor", "--json")
    const findings: ReadonlyArray<Record<string, string | null>> = JSON.parse(there.stdout)
    const missing = findings.filter(({ status }) => status === "missing")
    assert.strictEqual(there.code, missing.length === 0 ? 0 : 1)
    const bare = await earmark(["doctor"], "", place, { ...environment, PATH: place })
    assert.strictEqual(bare.code, 1)
    assert.match(
      bare.stdout,
      /^MISSING +ffmpeg +turns every kind of media into sound.*\n +get it: sudo apt-get install ffmpeg$/m,
    )
    assert.match(bare.stdout, /^MISSING +engine +nothing here can hear$/m)
    assert.match(bare.stderr, /^earmark: Missing or broken: .*ffmpeg, ffprobe/m)
  })

  it("examines what the settings name, as a transcription does", async () => {
    const wrong: ReadonlyArray<readonly [Record<string, string>, RegExp]> = [
      [
        { EARMARK_FFMPEG: "/nowhere/ffmpeg" },
        /^MISSING +ffmpeg +EARMARK_FFMPEG is "\/nowhere\/ffmpeg", but/m,
      ],
      [{ EARMARK_FFMPEG: "/bin/false" }, /^MISSING +decoding +A second of sound could not be decoded: /m],
      [{ EARMARK_YTDLP: "/nowhere/yt-dlp" }, /^MISSING +yt-dlp +EARMARK_YTDLP is /m],
      [{ EARMARK_POCKETSPHINX: "/nowhere/ps" }, /^MISSING +pocketsphinx +EARMARK_POCKETSPHINX is /m],
      [
        { TMPDIR: "/nowhere" },
        /^MISSING +decoding +A second of sound could not be written to the temporary folder: /m,
      ],
      [
        {
          EARMARK_DATABASE_URL: "postgres://127.0.0.1:1/x",
          EARMARK_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
        },
        /^MISSING +store +The database cannot be used \(ECONNREFUSED\)/m,
      ],
      [
        { EARMARK_SHERPA_MODEL: "/nope" },
        /^MISSING +sherpa model +EARMARK_SHERPA_MODEL: Cannot read \/nope: it does not exist\./m,
      ],
      [
        { EARMARK_WHISPER_MODEL: "/nope" },
        /^MISSING +whisper model +EARMARK_WHISPER_MODEL is "\/nope", but no such file was found$/m,
      ],
      [{ EARMARK_DATA_DIR: "/" }, /^MISSING +store +The data folder \/ cannot be used: it is the root of a/m],
      [
        { EARMARK_REDIS_URL: "redis://127.0.0.1:1" },
        /^MISSING +redis +127\.0\.0\.1:1 does not take connections$/m,
      ],
      [
        { EARMARK_S3_URL: "http://127.0.0.1:1", EARMARK_S3_KEY: "ann", EARMARK_S3_SECRET: "secret" },
        /^MISSING +uploads +127\.0\.0\.1 does not take connections$/m,
      ],
      [
        { EARMARK_ENGINE: "openai", EARMARK_OPENAI_URL: "http://127.0.0.1:1/v1" },
        /^MISSING +hearing +127\.0\.0\.1 does not take connections\n +get it: check EARMARK_OPENAI_URL$/m,
      ],
      [{ EARMARK_OPENAI_URL: "ftp://x.example" }, /^MISSING +settings +EARMARK_OPENAI_URL must be /m],
      [{ EARMARK_ENGINE: "wisper", EARMARK_PORT: "x" }, /^MISSING +settings +EARMARK_ENGINE must .*wisper/m],
      [
        { EARMARK_ENGINE: "wisper", EARMARK_PROT: "1" },
        /^MISSING +settings +Unknown setting EARMARK_PROT \(ignored\)\. Did you mean EARMARK_PORT\?$/m,
      ],
    ]
    for (const [set, sentence] of wrong) {
      const { code, stdout } = await earmark(["doctor"], "", place, { ...environment, ...set })
      assert.match(stdout, sentence)
      assert.strictEqual(code, 1)
    }
    // Blanks are none, and names of engines may have capitals, as everywhere.
    const { stdout } = await earmark(["doctor"], "", place, {
      ...environment,
      EARMARK_OPENAI_URL: " ",
      EARMARK_ENGINE: "PocketSphinx",
    })
    assert.notMatch(stdout, /^MISSING +settings/m)
    assert.match(stdout, /^(ok +hearing +.* has heard two seconds of sound|MISSING +engine)/m)
  })

  it("opens the store of a service, and makes none", async () => {
    const set = { ...environment, EARMARK_DATA_DIR: join(place, "data") }
    const store = async () => /^.*\bstore .*$/m.exec((await earmark(["doctor"], "", place, set)).stdout)?.[0]
    assert.match((await store()) ?? "", /^- +store +no server has been run in /)
    assert.isFalse(existsSync(join(place, "data")))
    await earmark(["accounts", "create", "--name", "Ann"], "", place, set)
    assert.match((await store()) ?? "", /^ok +store +the database in .* was opened$/)
  })
})
