import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { earmark, root } from "./earmark.js"

const show = "examples/quickstart/show.xml"

describe("earmark feed", () => {
  it("lists the episodes of a file, newest first, without the text posts", async () => {
    const { code, stdout, stderr } = await earmark(["feed", show])
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.deepStrictEqual(stdout.trimEnd().split("\n"), [
      "Marks & Margins: 3 episodes",
      "    0  2026-11-17   1:02:30  Live from the library",
      "    1  2026-11-10     41:07  The dog-eared page",
      "    2  2026-11-03     38:08  Ink, paper & other habits",
    ])
  })

  it("answers the episode list of the interface as JSON", async () => {
    const { code, stdout } = await earmark(["feed", show, "--limit", "2", "--json"])
    assert.strictEqual(code, 0)
    const answer = JSON.parse(stdout)
    assert.deepStrictEqual([answer.total, answer.returned, answer.data.length], [3, 2, 2])
    assert.deepStrictEqual(answer.feed, {
      title: "Marks & Margins",
      link: "https://marks.example/",
      language: "en",
      image: "https://marks.example/cover.jpg",
      author: "Ann and Ben",
    })
    assert.deepStrictEqual(answer.data[1], {
      index: 1,
      title: "The dog-eared page",
      guid: "marks-4",
      published_at: "2026-11-10T06:00:00.000Z",
      duration_seconds: 2467,
      audio_url: "https://cdn.marks.example/4.mp3",
      link: "https://marks.example/4",
      image: null,
      transcripts: [{ url: "https://marks.example/4.vtt", type: "text/vtt", language: "en", rel: null }],
    })
  })

  it("reads standard input", async () => {
    const piped = await earmark(["feed", "-", "--json"], readFileSync(`${root}${show}`))
    const named = await earmark(["feed", show, "--json"])
    assert.strictEqual(piped.stdout, named.stdout)
  })

  it("tells everything with --details", async () => {
    const { stdout } = await earmark(["feed", show, "--details", "--json", "--limit", "1"])
    const [episode] = JSON.parse(stdout).data
    assert.deepStrictEqual(episode.enclosure, {
      url: "https://cdn.marks.example/5.mp3",
      type: "audio/mpeg",
      length: 60001234,
    })
  })

  it("never lets a title write to the terminal", async () => {
    const hostile = `<rss><channel><item><title>&#27;[2Jgone&#10;1\u202egpj.exe\u2066</title><enclosure url="https://a.example/a.mp3"/></item></channel></rss>`
    const { stdout } = await earmark(["feed", "-"], hostile)
    assert.notMatch(stdout, /[\u001b\u202e\u2066]/)
    assert.strictEqual(stdout.trimEnd().split("\n").length, 2)
  })

  const broken: ReadonlyArray<readonly [string, ReadonlyArray<string>, string, RegExp]> = [
    [
      "a file that is not there",
      ["feed", "nowhere.xml"],
      "",
      /Could not read nowhere\.xml: there is no such file/,
    ],
    ["a folder", ["feed", "examples"], "", /it is a folder/],
    ["an empty input", ["feed", "-"], "", /nothing|empty/i],
    ["a web page", ["feed", "-"], "<!doctype html><html><body>hello</body></html>", /web page/],
    ["bytes of anything", ["feed", "-"], "\u0000\u0001\u0002 rubbish", /neither RSS/],
  ]
  for (const [what, args, input, reason] of broken) {
    it(`refuses ${what} in one sentence, exit code 1`, async () => {
      const { code, stdout, stderr } = await earmark(args, input)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^earmark: [^\n]+\n$/)
      assert.match(stderr, reason)
    })
  }

  it("says how to read an address meanwhile", async () => {
    const { code, stderr } = await earmark(["feed", "https://example.com/feed.xml"])
    assert.strictEqual(code, 2)
    assert.match(stderr, /curl -L ADDRESS \| earmark feed -/)
  })

  it("lists every complete episode of a feed that was cut off", async () => {
    const whole = readFileSync(`${root}${show}`, "utf8")
    const cut = whole.slice(0, whole.indexOf("marks-3"))
    const { code, stdout, stderr } = await earmark(["feed", "-", "--json"], cut)
    assert.deepStrictEqual([code, JSON.parse(stdout).total], [0, 2])
    assert.match(stderr, /^<standard input>: the feed is cut off before its end; [^\n]+\n$/)
  })
})
