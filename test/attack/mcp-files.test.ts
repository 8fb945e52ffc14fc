/** What somebody whose words are transcribed can make a local MCP server do to the files of the machine: through arguments of tools. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { writeWav } from "@earmark/core/audio"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type LocalMcp, startLocalMcp } from "./localMcp.js"

let server: LocalMcp
let downloads: string
let id: string

/** Two seconds that are loud enough to be taken for a voice. */
const wav = writeWav(
  Int16Array.from({ length: 32_000 }, (_, at) => 9000 * Math.sin(at / 12) * Math.sin(at / 700)),
)

const save = (save_to: string, format = "txt") => server.call("export_transcript", { id, format, save_to })

beforeAll(async () => {
  server = await startLocalMcp()
  downloads = join(server.home, "Downloads")
  const talk = join(server.home, "talk.wav")
  writeFileSync(talk, wav)
  const { data } = await server.call("upload_file", { path: talk })
  const made = await server.call("transcribe", { media_ref: data.media_ref })
  assert.strictEqual(made.data.status, "done", made.text)
  id = String(made.data.id)
})
afterAll(() => server?.stop())

describe("save_to of the local server", () => {
  it("creates a new file in Downloads, and says where", async () => {
    const saved = await save("talk.txt")
    assert.isFalse(saved.isError, saved.text)
    const path = join(realpathSync(downloads), "talk.txt")
    assert.strictEqual(saved.data.saved_to, path)
    assert.strictEqual(statSync(path).size, saved.data.bytes)
    const whole = await save(join(downloads, "Whole Path ü.TXT"))
    assert.isFalse(whole.isError, whole.text)
  })

  it("creates nothing outside of the folder, and nothing that another program obeys", async () => {
    mkdirSync(join(downloads, "inside"))
    mkdirSync(join(server.home, "elsewhere"))
    symlinkSync(join(server.home, "elsewhere"), join(downloads, "link"))
    symlinkSync(join(server.home, "elsewhere", "made.txt"), join(downloads, "dangling.txt"))
    writeFileSync(join(downloads, "there.txt"), "mine")
    const before = readdirSync(server.home, { recursive: true }).filter(notData).sort()
    for (const [name, format] of [
      [join(server.home, ".bash_profile")],
      [join(server.home, "notes.txt")],
      [join(server.home, ".config", "autostart.txt")],
      ["/etc/cron.d/earmark.txt"],
      [".bash_profile"],
      [".hidden.txt"],
      ["..txt"],
      ["../notes.txt"],
      [`${downloads}/../notes.txt`],
      [`${downloads}/./../Downloads2.txt`],
      ["inside/notes.txt"],
      [join(downloads, "inside", "notes.txt")],
      ["link/notes.txt"],
      [join(downloads, "link", "notes.txt")],
      ["dangling.txt"],
      ["there.txt"],
      ["talk.sh"],
      ["talk.txt.exe"],
      ["CLAUDE.md"],
      ["page.html"],
      ["talk.txt", "srt"],
      ["nul\0.txt"],
      ["two\nlines.txt"],
      ["turned\u202etxt.txt"],
      ["half\ud800.txt"],
      [`${"long".repeat(70)}.txt`],
      ["CON.txt"],
      ["nul .txt"],
      ["lpt1.tar.txt"],
      ["back\\slash.txt"],
      ["C:\\Users\\me\\notes.txt"],
      ["talk.txt:stream.txt"],
      ["talk.txt."],
      ["talk.txt "],
      [" talk.txt"],
      ["what?.txt"],
      [""],
      ["~/notes.txt"],
    ] as const) {
      const refused = await save(name, format)
      assert.isTrue(refused.isError, `${JSON.stringify(name)} was written: ${refused.text}`)
      assert.match(refused.text, /^invalid_request: save_to: /)
    }
    assert.deepStrictEqual(readdirSync(server.home, { recursive: true }).filter(notData).sort(), before)
    assert.strictEqual(readFileSync(join(downloads, "there.txt"), "utf8"), "mine")
    assert.isFalse(existsSync("/etc/cron.d/earmark.txt"))
  })

  it("lets one of many calls at once have a name", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => save("once.txt")))
    assert.strictEqual(all.filter(({ isError }) => !isError).length, 1)
  })

  it("goes into the folder that the person has chosen, and says so when it is missing", async () => {
    const chosen = await startLocalMcp({ EARMARK_MCP_SAVE_FOLDER: join(downloads, "not-there") })
    const { data } = await chosen.call("upload_file", { path: join(server.home, "talk.wav") })
    const made = await chosen.call("transcribe", { media_ref: data.media_ref })
    const arguments_ = { id: made.data.id, format: "txt", save_to: "talk.txt" }
    const missing = await chosen.call("export_transcript", arguments_)
    assert.isTrue(missing.isError)
    assert.include(missing.text, "not-there: it does not exist")
    assert.include(missing.text, "ask the person to create that folder")
    mkdirSync(join(downloads, "not-there"))
    assert.isFalse((await chosen.call("export_transcript", arguments_)).isError)
    assert.isTrue(existsSync(join(downloads, "not-there", "talk.txt")))
    await chosen.stop()
  })
})

describe("path of the local server", () => {
  it("sends audio and video, and nothing else under their names", async () => {
    writeFileSync(join(server.home, "config.ts"), 'export const password = "hunter2"\n')
    writeFileSync(join(server.home, "key.mp3"), "-----BEGIN PRIVATE KEY-----\n")
    writeFileSync(join(server.home, "empty.mp3"), "")
    writeFileSync(join(server.home, "id_rsa"), wav)
    symlinkSync(join(server.home, "talk.wav"), join(server.home, "linked.wav"))
    mkdirSync(join(server.home, "folder.mp3"))
    for (const name of [
      "config.ts",
      "key.mp3",
      "empty.mp3",
      "id_rsa",
      "linked.wav",
      "folder.mp3",
      "none.mp3",
      "a\0.mp3",
    ]) {
      const refused = await server.call("upload_file", { path: join(server.home, name) })
      assert.isTrue(refused.isError, `${name}: ${refused.text}`)
      assert.match(refused.text, /^invalid_request: path: /)
      assert.notInclude(refused.text, "hunter2")
    }
    for (const path of [
      "talk.wav",
      "//host/share/talk.wav",
      "\\\\host\\share\\talk.wav",
      "/dev/zero",
      "/proc/self/environ",
    ]) {
      assert.isTrue((await server.call("upload_file", { path })).isError, path)
    }
  })

  it("is no address of transcribe", async () => {
    for (const url of [`file://${server.home}/talk.wav`, join(server.home, "talk.wav")]) {
      for (const field of ["url", "blob_url", "media_ref"]) {
        assert.isTrue((await server.call("transcribe", { [field]: url })).isError, `${field} ${url}`)
      }
    }
  })
})

const notData = (name: string | Buffer): boolean => !/^(?:data|\.cache|\.local)\b/.test(String(name))
