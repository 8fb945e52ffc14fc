import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { earmark } from "./earmark.js"

const interview = "examples/quickstart/interview.vtt"
const folder = mkdtempSync(join(tmpdir(), "earmark-captions-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("earmark captions", () => {
  it("converts VTT to SRT and keeps the layout", async () => {
    const { code, stdout, stderr } = await earmark(["captions", interview, "--to", "srt"])
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.include(
      stdout,
      "2\n00:00:04,200 --> 00:00:07,600\nBen: I never write in mine. I fold the corner\n& feel guilty about it.\n\n",
    )
  })

  it("comes back the same through another format", async () => {
    const ttml = await earmark(["captions", interview, "--to", "ttml"])
    const back = await earmark(["captions", "-", "--to", "vtt"], ttml.stdout)
    const straight = await earmark(["captions", interview, "--to", "vtt"])
    assert.strictEqual(back.stdout, straight.stdout)
  })

  it("writes a file whole, by the ending of its name", async () => {
    const target = join(folder, "interview.docx")
    const { code, stdout } = await earmark(["captions", interview, "-o", target])
    assert.deepStrictEqual([code, stdout], [0, ""])
    assert.strictEqual(readFileSync(target).subarray(0, 2).toString(), "PK")
    assert.deepStrictEqual(readdirSync(folder), ["interview.docx"])
  })

  it("says how to cut lines that are too wide for captions", async () => {
    const wide = "We press the sheets for a whole night, and on the next morning each of them is flat."
    const lines = JSON.stringify({
      segments: [
        { start: 0, end: 6, text: wide },
        { start: 6, end: 8, text: "Then we sew." },
      ],
    })
    const kept = await earmark(["captions", "-", "--to", "srt"], lines)
    assert.strictEqual(kept.code, 0)
    assert.include(kept.stdout, wide)
    assert.strictEqual(
      kept.stderr,
      "<standard input>: 1 of 2 captions are too wide for a screen. To have them cut anew, add --cues standard.\n",
    )
    const cut = await earmark(["captions", "-", "--to", "srt", "--cues", "standard"], lines)
    assert.deepStrictEqual([cut.code, cut.stderr], [0, ""])
    for (const line of cut.stdout.split("\n")) assert.isAtMost(line.length, 42)
    const text = await earmark(["captions", "-", "--to", "txt"], lines)
    assert.strictEqual(text.stderr, "")
  })

  it("lays captions out by a profile", async () => {
    const { stdout } = await earmark(["captions", interview, "--to", "srt", "--profile", "podcast"])
    for (const line of stdout.split("\n")) assert.isAtMost(line.length, 32)
  })

  it("finds what is wrong with captions, exit code 1", async () => {
    const fast =
      "WEBVTT\n\n00:00.000 --> 00:00.500\nThis is far too much text for half a second, is it not?\n"
    const { code, stdout, stderr } = await earmark(["captions", "-", "--lint"], fast)
    assert.strictEqual(code, 1)
    assert.match(stdout, /\n {2}cue 1: too_fast 110 characters\/s \(limit \d+\)\n/)
    assert.match(stderr, /^earmark: [^\n]+\n$/)
  })

  it("says so when nothing is wrong", async () => {
    const { stdout: clean } = await earmark(["captions", interview, "--to", "vtt", "--profile", "standard"])
    const { code, stdout } = await earmark(["captions", "-", "--lint"], clean)
    assert.strictEqual(code, 0)
    assert.match(stdout, /captions are in order/)
  })

  it("tells advice from faults, with units and short numbers", async () => {
    const source = "examples/quickstart/reading.json"
    const { stdout: laidOut } = await earmark(["captions", source, "--to", "vtt", "--profile", "standard"])
    const { stdout } = await earmark(["captions", "-", "--lint"], laidOut)
    assert.include(stdout, "  advice: cue 1: unbalanced 0.29 (limit 0.33)\n")
    assert.include(stdout, "  advice: cue 3: gap_too_small 40 ms (limit 84)\n")
  })

  it("reports what it made where the data does not go", async () => {
    const printed = await earmark(["captions", interview, "--to", "vtt", "--lint"])
    assert.match(printed.stdout, /^WEBVTT\n/)
    assert.match(printed.stderr, /captions are in order/)
    const target = join(folder, "judged.vtt")
    const written = await earmark(["captions", interview, "-o", target, "--lint"])
    rmSync(target)
    assert.match(written.stdout, /captions are in order/)
    assert.strictEqual(written.stderr, "")
  })

  it("says in a sentence what it left out", async () => {
    const broken = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n\n00:03.000 --> soon\nNever\n"
    const { code, stderr } = await earmark(["captions", "-", "--to", "srt"], broken)
    assert.deepStrictEqual(
      [code, stderr],
      [0, "<standard input>: line 6: a cue without a readable time was left out\n"],
    )
  })

  it("tells of an ending that contradicts the format", async () => {
    const target = join(folder, "contradiction.vtt")
    const { code, stderr } = await earmark(["captions", interview, "--to", "srt", "-o", target])
    const text = readFileSync(target, "utf8")
    rmSync(target)
    assert.strictEqual(code, 0)
    assert.match(stderr, /contradiction\.vtt: written as srt, although [^\n]+\n$/)
    assert.match(text, /^1\n/)
  })

  it("writes nothing when --lint has nothing to judge", async () => {
    const target = join(folder, "nothing.txt")
    const { code, stderr } = await earmark(["captions", interview, "--lint", "-o", target])
    assert.strictEqual(code, 2)
    assert.match(stderr, /^earmark: --lint judges captions, and txt has none\.[^\n]+\n$/)
    assert.isFalse(existsSync(target))
  })

  it("converts several files beside each or into a folder, and never over what is there", async () => {
    const place = mkdtempSync(join(folder, "several-"))
    for (const name of ["a.vtt", "b.vtt"]) copyFileSync(interview, join(place, name))
    const run = (...args: ReadonlyArray<string>) =>
      earmark(["captions", "a.vtt", "b.vtt", ...args], "", place, {})
    const bare = await earmark(["captions", join(place, "a.vtt"), join(place, "b.vtt"), "-fsrt"])
    assert.deepStrictEqual([bare.code, bare.stdout, bare.stderr], [0, "", ""])
    const again = await run("--format", "srt")
    assert.strictEqual(again.code, 1)
    assert.match(again.stderr, /^earmark: a\.srt is there already, and was not replaced\. [^\n]+\n$/)
    assert.strictEqual((await run("--to", "srt", "-o", "out/")).code, 0)
    assert.deepStrictEqual(readdirSync(join(place, "out")), ["a.srt", "b.srt"])
    assert.deepStrictEqual(readFileSync(join(place, "out/a.srt")), readFileSync(join(place, "a.srt")))
    const one = (...args: ReadonlyArray<string>) => earmark(["captions", "a.vtt", ...args], "", place, {})
    assert.strictEqual((await one("-f", "txt", "-o", "texts/")).code, 0)
    assert.strictEqual((await one("-f", "html", "-o", "texts")).code, 0)
    assert.deepStrictEqual(readdirSync(join(place, "texts")), ["a.html", "a.txt"])
    const nameless = await earmark(["captions", "-", "-f", "txt", "-o", "texts/"], "WEBVTT", place, {})
    assert.deepStrictEqual([nameless.code, /has no name for a file/.test(nameless.stderr)], [2, true])
    const over = await run("-f", "vtt", "-o", ".")
    assert.deepStrictEqual([over.code, /a\.vtt is one of the files to read/.test(over.stderr)], [2, true])
    const printed = await run("-f", "vtt", "-o", "-")
    assert.deepStrictEqual([printed.code, printed.stdout], [2, ""])
    const judged = await run("--lint", "--json")
    assert.deepStrictEqual(
      judged.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).file),
      ["a.vtt", "b.vtt"],
    )
    const halfDone = await earmark(["captions", "a.vtt", "none.vtt", "-f", "txt"], "", place)
    assert.strictEqual(halfDone.code, 3)
    assert.match(halfDone.stderr, /none\.vtt: there is no such file\.[^\n]+\nearmark: 1 of 2 files failed\./)
    assert.include(readdirSync(place), "a.txt")
  })

  it("lays captions out by one set of names, and by the first one of them", async () => {
    const told = async (...args: ReadonlyArray<string>) =>
      (await earmark(["captions", interview, "-f", "srt", ...args])).stdout
    assert.strictEqual(await told("--profile", "podcast"), await told("--cues", "podcast"))
    for (const line of (await told("--max-chars", "24", "--max-lines", "1")).split("\n"))
      assert.isAtMost(line.includes("-->") ? 0 : line.length, 24, line)
    for (const [option, value] of [
      ["--max-chars", "5"],
      ["--max-lines", "4"],
    ] as const) {
      const { code, stderr } = await earmark(["captions", interview, "-f", "srt", option, value])
      assert.deepStrictEqual([code, stderr.startsWith(`earmark: ${option} must be from `)], [2, true])
    }
  })

  it.each(["standard", "podcast", "netflix"])(
    "makes captions by %s that its own lint passes",
    async (cues) => {
      const { code, stdout } = await earmark([
        "captions",
        interview,
        "-f",
        "srt",
        "--cues",
        cues,
        "--language",
        "en",
      ])
      assert.strictEqual(code, 0)
      assert.notMatch(stdout, /\n[^\n]*-->[^\n]*\n[^\n:]{1,40}:\n\n/)
      const judged = await earmark(["captions", "-", "--lint", "--cues", cues, "--language", "en"], stdout)
      assert.strictEqual(judged.code, 0, judged.stdout)
    },
  )

  it.each(["srt", "vtt"])(
    "judges %s that it made by the limits of their language, which the file does not tell",
    async (format) => {
      const segments = [
        { start: 0, end: 2.7, text: "The old books are in the room on the left today." },
        { start: 2.8, end: 6.4, text: "You can write as much as you like, but only with a soft pencil." },
      ]
      const spoken = JSON.stringify({ language: "en", segments })
      const made = await earmark(["captions", "-", "-f", format, "--cues", "netflix", "--lint"], spoken)
      assert.strictEqual(made.code, 0, made.stderr)
      const judged = await earmark(["captions", "-", "--lint", "--cues", "netflix"], made.stdout)
      assert.strictEqual(judged.code, 0, judged.stdout)
    },
  )

  it("gives the lint report as JSON", async () => {
    const { stdout } = await earmark(["captions", interview, "--lint", "--json"])
    assert.hasAllKeys(JSON.parse(stdout), ["profile", "cues", "ok", "share", "counts", "findings"])
  })

  it("never lets a caption end its own cue", async () => {
    const hostile = "1\n00:00:01,000 --> 00:00:02,000\n<b>a --> b</b> & <c\n"
    const { stdout } = await earmark(["captions", "-", "--to", "vtt"], hostile)
    assert.strictEqual(stdout.split("-->").length, 2)
  })

  const refused: ReadonlyArray<readonly [string, ReadonlyArray<string>, string, number, RegExp]> = [
    ["no target", ["captions", interview], "", 2, /needs --format FORMAT/],
    ["an unknown format", ["captions", interview, "--to", "mp3"], "", 2, /mp3|srt/],
    ["a name without an ending", ["captions", interview, "-o", join(folder, "x")], "", 2, /--format FORMAT/],
    ["a text that is no captions", ["captions", "-", "--to", "srt"], "hello\n", 1, /not in a caption format/],
    ["an empty file", ["captions", "-", "--to", "srt"], "", 1, /The file is empty\./],
    [
      "word times where there are none",
      ["captions", interview, "--to", "vtt", "--word-level"],
      "",
      1,
      /single words/,
    ],
    [
      "a folder that is not there",
      ["captions", interview, "-o", join(folder, "no/x.srt")],
      "",
      1,
      /Could not write/,
    ],
  ]
  for (const [what, args, input, exit, reason] of refused) {
    it(`refuses ${what} in one sentence`, async () => {
      const { code, stdout, stderr } = await earmark(args, input)
      assert.deepStrictEqual([code, stdout], [exit, ""])
      assert.match(stderr, /^earmark: [^\n]+\n$/)
      assert.match(stderr, reason)
    })
  }

  it("leaves nothing behind when it cannot write", async () => {
    await earmark(["captions", interview, "-o", join(folder, "no/x.srt")])
    assert.isFalse(existsSync(join(folder, "no")))
  })
})
