import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { earmark } from "./earmark.js"

const RECORDING = "examples/quickstart/museum.ogg"
const TEXT = "examples/quickstart/museum-said.txt"
const folder = mkdtempSync(join(tmpdir(), "earmark-align-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Written {
  readonly word_timing: string
  readonly text: string
  readonly segments: ReadonlyArray<{
    readonly text: string
    readonly words: ReadonlyArray<{ readonly text: string; readonly start: number; readonly end: number }>
  }>
}

const parse = (text: string): Written => JSON.parse(text)
const wordsOf = ({ segments }: Written) => segments.flatMap(({ words }) => words)

describe("earmark align", () => {
  it("finds every word of a plain text", async () => {
    const { code, stdout, stderr } = await earmark(["align", RECORDING, TEXT, "-f", "json", "--word-level"])
    assert.deepStrictEqual([code, stderr], [0, ""])
    const written = parse(stdout)
    const said = readFileSync(TEXT, "utf8").trim().split(/\s+/)
    assert.strictEqual(written.word_timing, "aligned")
    assert.deepStrictEqual(
      wordsOf(written).map(({ text }) => text),
      said,
    )
    let last = 0
    for (const { start, end } of wordsOf(written)) {
      assert.isAtLeast(start, last)
      assert.isAtLeast(end, start)
      last = end
    }
    // Speakers change behind a pause of 0.6 s and more, which no word may lie in.
    const answer = wordsOf(written)[said.indexOf("Thank")]
    assert.isAbove(answer?.start ?? 0, 5.4)
    assert.isBelow(answer?.start ?? 9, 6.2)
  })

  it("gives captions the times of their words, and keeps their lines", async () => {
    const captions = join(folder, "museum.srt")
    const words = join(folder, "words.vtt")
    assert.strictEqual((await earmark(["align", RECORDING, TEXT, "-o", captions])).code, 0)
    const { code, stdout } = await earmark(["align", RECORDING, captions, "--word-level", "-o", words])
    assert.deepStrictEqual([code, stdout], [0, ""])
    assert.match(readFileSync(words, "utf8"), /Good <00:00:0[01]\.\d{3}>morning, <00:00:0\d\.\d{3}>and/)
  })

  it("takes the text from standard input, and says when it is not what is said", async () => {
    const { code, stdout, stderr } = await earmark(
      ["align", RECORDING, "-", "--word-level"],
      "Das ist ein ganz anderer Text, der hier gar nicht gesagt wird und von etwas anderem handelt.",
    )
    assert.strictEqual(code, 0)
    assert.match(stderr, /^17 of 17 words could not be found .* Check that .* is what is said there\.\n$/)
    assert.include(stdout, "NOTE\nThe times of single words are estimated.")
  })

  it("shows nothing after the end of the recording", async () => {
    const text = readFileSync(TEXT, "utf8").repeat(8)
    const { code, stdout } = await earmark(["align", RECORDING, "-", "--format", "srt"], text)
    assert.strictEqual(code, 0)
    assert.match(stdout.match(/--> (\S+)/g)?.at(-1) ?? "", /^--> 00:00:3[56],/)
  })

  const refused: ReadonlyArray<readonly [ReadonlyArray<string>, number, RegExp]> = [
    [["align", "missing.mp3", TEXT], 1, /^earmark: missing\.mp3: [^\n]+\n$/],
    [["align", RECORDING, "missing.txt"], 1, /missing\.txt: there is no such file/],
    [["align", RECORDING, RECORDING], 1, /^earmark: \S+museum\.ogg is no text\. Name the recording first/],
    [["align", TEXT, TEXT], 1, /museum-said\.txt: [^\n]+\n$/],
    [["align", RECORDING, TEXT, "-o", "a.vtx"], 2, /no ending that names a format\. Did you mean vtt\?/],
    [["align", RECORDING, TEXT, "-f", "html", "--word-level"], 2, /html cannot show the time of each word/],
    [["align", RECORDING, TEXT, "--language", "klingon"], 2, /Unknown language "klingon"/],
    [["align", RECORDING, TEXT, "--language", "xx"], 2, /Unknown language "xx"/],
    [["align", RECORDING], 2, /audio|text/],
  ]
  for (const [args, code, sentence] of refused) {
    it(`refuses ${args.slice(1).join(" ")} with a sentence`, async () => {
      const ran = await earmark(args)
      assert.strictEqual(ran.code, code, ran.stderr)
      assert.match(ran.stderr, sentence)
      assert.strictEqual(ran.stdout, "")
    })
  }

  it("writes over neither the recording nor the text", async () => {
    const own = join(folder, "own.ogg")
    copyFileSync(RECORDING, own)
    for (const [audio, text, target] of [
      [own, TEXT, own],
      [RECORDING, TEXT, TEXT],
    ] as const) {
      const before = readFileSync(target)
      const ran = await earmark(["align", audio, text, "-f", "srt", "-o", target])
      assert.strictEqual(ran.code, 2, ran.stderr)
      assert.include(ran.stderr, `The result would be written over ${target}. Name another file with -o.`)
      assert.isTrue(before.equals(readFileSync(target)))
    }
  })

  it("refuses an empty text", async () => {
    const empty = join(folder, "empty.txt")
    writeFileSync(empty, " \n")
    assert.match((await earmark(["align", RECORDING, empty])).stderr, /There is no text in/)
  })
})
