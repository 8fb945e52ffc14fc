import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { bin, earmark, root } from "./earmark.js"

const interview = "examples/quickstart/interview.vtt"
const folder = mkdtempSync(join(tmpdir(), "earmark-output-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const oneSentence = /^earmark: [^\n]+\n$/

/** The command as a shell runs it, with redirections. */
const shell = (line: string) =>
  spawnSync("bash", ["-c", line.replaceAll("earmark ", `"${process.execPath}" "${bin}" `)], {
    cwd: root,
    encoding: "utf8",
    timeout: 20_000,
  })

describe("-o", () => {
  it("writes the file that a link leads to, and leaves the link", async () => {
    const real = join(folder, "real.srt")
    const link = join(folder, "link.srt")
    mkdirSync(join(folder, "deep"))
    writeFileSync(real, "old")
    symlinkSync("../real.srt", join(folder, "deep/link.srt"))
    symlinkSync("deep/link.srt", link)
    assert.strictEqual((await earmark(["captions", interview, "-o", link])).code, 0)
    assert.isTrue(lstatSync(link).isSymbolicLink())
    assert.match(readFileSync(real, "utf8"), /^1\n/)
    assert.deepStrictEqual(readdirSync(join(folder, "deep")), ["link.srt"])
  })

  it("makes the file that a link names and that is not there yet", async () => {
    const link = join(folder, "dangling.srt")
    symlinkSync("made.srt", link)
    assert.strictEqual((await earmark(["captions", interview, "-o", link])).code, 0)
    assert.isTrue(lstatSync(link).isSymbolicLink())
    assert.match(readFileSync(join(folder, "made.srt"), "utf8"), /^1\n/)
  })

  it("keeps the permissions of a file that is there", async () => {
    const target = join(folder, "private.srt")
    writeFileSync(target, "old")
    chmodSync(target, 0o600)
    assert.strictEqual((await earmark(["captions", interview, "-o", target])).code, 0)
    assert.strictEqual(statSync(target).mode & 0o777, 0o600)
    assert.match(readFileSync(target, "utf8"), /^1\n/)
  })

  it("writes into a pipe", async () => {
    const pipe = join(folder, "pipe.srt")
    assert.strictEqual(shell(`mkfifo ${pipe}`).status, 0)
    const reader = spawn("cat", [pipe], { timeout: 20_000 })
    let text = ""
    reader.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
    })
    const ended = new Promise((resolve) => reader.on("close", resolve))
    const { code, stderr } = await earmark(["captions", interview, "-o", pipe])
    if (code !== 0 || !lstatSync(pipe).isFIFO()) reader.kill()
    await ended
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.isTrue(lstatSync(pipe).isFIFO())
    assert.match(text, /^1\n/)
  })

  const refused: ReadonlyArray<readonly [string, () => string, RegExp]> = [
    ["a folder that is not there", () => join(folder, "no/x.srt"), /there is no such folder\./],
    [
      "a file as a folder",
      () => join(root, "examples/quickstart/show.xml/x.srt"),
      /there is no such folder\./,
    ],
    [
      "links in a circle",
      () => {
        symlinkSync("circle.srt", join(folder, "circle.srt"))
        return join(folder, "circle.srt")
      },
      /its links lead in a circle\./,
    ],
    ["a name that is too long", () => join(folder, `${"x".repeat(300)}.srt`), /the name is too long\./],
  ]
  for (const [what, target, reason] of refused) {
    it(`refuses ${what} in plain words`, async () => {
      const { code, stderr } = await earmark(["captions", interview, "-o", target()])
      assert.strictEqual(code, 1)
      assert.match(stderr, oneSentence)
      assert.match(stderr, reason)
      assert.notMatch(stderr, /FileSystem|mkdtemp|E[A-Z]{4,}/)
    })
  }

  it("asks for a format where it names a folder", async () => {
    const place = join(folder, "is.srt")
    mkdirSync(place)
    const { code, stderr } = await earmark(["captions", interview, "-o", place])
    assert.strictEqual(code, 2)
    assert.match(stderr, oneSentence)
    assert.match(stderr, /is\.srt is a folder\. Choose the format of what is written there with --format\./)
  })

  it("keeps the old file when the new one does not fit, and leaves no draft", () => {
    const target = join(folder, "small/x.srt")
    mkdirSync(join(folder, "small"))
    writeFileSync(target, "old")
    const { status, stderr } = shell(`ulimit -f 0; earmark captions ${interview} -o ${target}`)
    assert.strictEqual(status, 1)
    assert.match(stderr, /^earmark: Could not write [^\n]+: the file would be larger than [^\n]+\n$/)
    assert.strictEqual(readFileSync(target, "utf8"), "old")
    assert.deepStrictEqual(readdirSync(join(folder, "small")), ["x.srt"])
  })
})

describe("drafts", () => {
  /** Kills a command while its draft is there, and answers the name of what it left behind. */
  const killedHalfWay = async (place: string, source: string) => {
    const drafts = () => readdirSync(place).filter((name) => name.startsWith(".earmark-"))
    for (let tries = 0; tries < 8 && drafts().length === 0; tries++) {
      const child = spawn(process.execPath, [bin, "captions", source, "-o", join(place, "x.vtt")])
      const watcher = watch(place, () => child.kill("SIGKILL"))
      await new Promise((resolve) => child.on("close", resolve))
      watcher.close()
    }
    return drafts()
  }

  it("that a killed run has left are removed by the next one, and those of others are left alone", async () => {
    const place = join(folder, "drafts")
    mkdirSync(place)
    const source = join(folder, "long.srt")
    const cue = "1\n00:00:00,000 --> 00:00:01,000\nwords and more words\n\n"
    writeFileSync(source, cue.repeat(100_000))
    assert.lengthOf(await killedHalfWay(place, source), 1)
    // Of another machine that works in the same folder.
    const foreign = `.earmark-00000000-${process.pid}-abcdef`
    mkdirSync(join(place, foreign))
    assert.strictEqual((await earmark(["captions", interview, "-o", join(place, "y.srt")])).code, 0)
    assert.deepStrictEqual(readdirSync(place).sort(), [foreign, "y.srt"])
  })
})

describe("standard output", () => {
  for (const size of [0, 1]) {
    it(`that takes ${size} kB and no more ends in one sentence, exit code 1`, () => {
      const target = join(folder, `cut-${size}.json`)
      const { status, stderr } = shell(
        `ulimit -f ${size}; earmark feed examples/quickstart/show.xml --details --json > ${target}`,
      )
      assert.strictEqual(status, 1)
      assert.match(stderr, /^earmark: Could not write to standard output: [^\n]+\n$/)
    })
  }

  it("that is closed is not passed over in silence", () => {
    const { stderr } = shell("earmark feed examples/quickstart/show.xml >&-")
    assert.strictEqual(stderr, "Standard output is closed: what belongs there is lost.\n")
  })

  it("whose reader goes away ends quietly", () => {
    const { stdout, stderr } = shell(
      `(earmark feed examples/quickstart/show.xml --json; echo "code $?" >&2) | true`,
    )
    assert.deepStrictEqual([stdout, stderr], ["", "code 0\n"])
  })
})

describe("what a terminal would obey", () => {
  it("is not in what is told of names", async () => {
    const name = "red\u001b[31m\u202egood.vtt"
    for (const args of [
      ["captions", name, "--lint"],
      ["transcribe", name],
      ["jobs", "show", name, "--local"],
    ]) {
      const { code, stderr } = await earmark(args)
      assert.notStrictEqual(code, 0)
      assert.include(stderr, "red [31mgood.vtt")
      assert.notMatch(stderr, /[\u001b\u202e]/)
    }
  })
})
