import { assert, describe, it } from "@effect/vitest"
import { read, told, toldWords } from "./reading.js"

const cuesOf = (body: string) => read(`WEBVTT\n\n${body}`).cues.map(told)
const textOf = (payload: string) => cuesOf(`00:00.000 --> 00:01.000\n${payload}`).map((cue) => cue.slice(7))

describe("WebVTT blocks", () => {
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    ["a cue with an id", "7\n00:01.000 --> 00:02.500\nhello", ["1000-2500 hello"]],
    ["hours of any length", "100:00:01.000 --> 1000:00:00.000\nlong", ["360001000-3600000000 long"]],
    ["an arrow without spaces", "00:01.000-->00:02.000\nhello", ["1000-2000 hello"]],
    ["settings, known or not", "00:01.000 --> 00:02.000 align:start foo\nhello", ["1000-2000 hello"]],
    ["a line of text that is a number", "00:01.000 --> 00:02.000\n42", ["1000-2000 42"]],
    [
      "text without a blank line before the next timing",
      "00:01.000 --> 00:02.000\na\n00:03.000 --> 00:04.000\nb",
      ["1000-2000 a", "3000-4000 b"],
    ],
    [
      "an id that follows text at once is text",
      "00:01.000 --> 00:02.000\na\n2\n00:03.000 --> 00:04.000\nb",
      ["1000-2000 a / 2", "3000-4000 b"],
    ],
    ["no text", "00:01.000 --> 00:02.000\n\n00:03.000 --> 00:04.000\nb", ["1000-2000 ", "3000-4000 b"]],
    ["an end before the start", "00:02.000 --> 00:01.000\na", ["2000-1000 a"]],
    [
      "two digits of minutes missing",
      "1:00.000 --> 00:02.000\na\n\n00:03.000 --> 00:04.000\nb",
      ["3000-4000 b"],
    ],
    ["minutes past 59", "60:00.000 --> 61:00.000\na\n\n00:03.000 --> 00:04.000\nb", ["3000-4000 b"]],
    ["seconds past 59", "00:60.000 --> 01:02.000\na\n\n00:03.000 --> 00:04.000\nb", ["3000-4000 b"]],
    ["four digits of fraction", "00:01.0000 --> 00:02.000\na", []],
    ["a comma in the time", "00:01,000 --> 00:02,000\na", []],
    [
      "a bad timing ends at the next good one",
      "nonsense --> 00:02.000\n00:03.000 --> 00:04.000\nb",
      ["3000-4000 b"],
    ],
    ["notes and styles", "NOTE\nnot shown\n\nSTYLE\n::cue {}\n\n00:03.000 --> 00:04.000\nb", ["3000-4000 b"]],
    ["a note that goes on", "NOTE one\ntwo\n00:03.000 --> 00:04.000\nb", ["3000-4000 b"]],
    [
      "CR only",
      "00:01.000 --> 00:02.000\ra\rb\r\r00:03.000 --> 00:04.000\rc",
      ["1000-2000 a / b", "3000-4000 c"],
    ],
    [
      "CRLF",
      "00:01.000 --> 00:02.000\r\na\r\n\r\n00:03.000 --> 00:04.000\r\nc\r\n",
      ["1000-2000 a", "3000-4000 c"],
    ],
  ]
  for (const [name, body, expected] of cases) it(name, () => assert.deepStrictEqual(cuesOf(body), expected))

  it("a timing right after the signature line ends the header", () => {
    assert.deepStrictEqual(read("WEBVTT\n00:01.000 --> 00:02.000\na").cues.map(told), ["1000-2000 a"])
  })
  it("the header is skipped, its language is read", () => {
    const file = read("WEBVTT - a title\nKind: captions\nLanguage: en-GB\n\n00:01.000 --> 00:02.000\na")
    assert.strictEqual(file.language, "en-GB")
    assert.deepStrictEqual(file.cues.map(told), ["1000-2000 a"])
  })
  it("NUL becomes U+FFFD, a byte order mark goes", () => {
    assert.deepStrictEqual(read("\ufeffWEBVTT\n\n00:01.000 --> 00:02.000\na\0b").cues.map(told), [
      "1000-2000 a\ufffdb",
    ])
  })
  it("problems name the line and a code", () => {
    const { problems } = read("WEBVTT\n\n1\n00:0 --> 1\na\n\nloose text\n\n00:02.000 --> 00:01.000\nb")
    assert.deepStrictEqual(problems, [
      { line: 4, code: "bad_timing" },
      { line: 7, code: "bad_block" },
      { line: 9, code: "end_before_start" },
    ])
  })
  it("no more than a thousand problems are told", () => {
    const { problems } = read(`WEBVTT\n\n${"x --> y\n\n".repeat(5000)}`)
    assert.strictEqual(problems.length, 1001)
    assert.deepStrictEqual(problems.at(-1), { line: 0, code: "too_many_problems" })
  })
})

describe("WebVTT text", () => {
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    ["tags go, content stays", "<i>a</i> <b.loud>b</b> <lang en>c</lang> <foo>d</foo>", ["a b c d"]],
    ["a voice", "<v Ann>hello", ["Ann: hello"]],
    ["a voice with classes and white space", "<v.first.loud  Ann \t Lee >hello</v>", ["Ann Lee: hello"]],
    ["a voice with an entity", "<v Ann &amp; Bob>hello", ["Ann & Bob: hello"]],
    ["a voice without a name", "<v>hello</v>", ["hello"]],
    ["two voices", "<v Ann>hello</v>\n<v Bob>hi</v>", ["Ann: hello", "Bob: hi"]],
    ["a voice, then nobody", "<v Ann>hello</v> world", ["Ann: hello", "world"]],
    ["a voice over two lines", "<v Ann>hello\nworld", ["Ann: hello / world"]],
    [
      "entities with and without semicolon",
      "a &amp; b &lt;c&gt; &amp d &copy2 &notit; &notin;",
      ["a & b <c> & d ©2 ¬it; ∉"],
    ],
    ["entities that are none", "a & b &; &x &unknown; &#; &#x;", ["a & b &; &x &unknown; &#; &#x;"]],
    ["numbers", "&#65;&#x42;&#67 &#146; &#0; &#xd800; &#x110000;", ["ABC ’ \ufffd \ufffd \ufffd"]],
    ["names of two characters", "&NotEqualTilde;|&bne;", ["≂̸|=⃥"]],
    ["an entity of a tag is no tag", "&lt;b&gt;", ["<b>"]],
    ["a tag that never ends", "hello <b world", ["hello"]],
    ["an empty tag", "a<>b", ["ab"]],
    ["a word joined over lines", "one \n  two  \n\t", ["one / two"]],
  ]
  for (const [name, payload, expected] of cases)
    it(name, () => assert.deepStrictEqual(textOf(payload), expected))

  it("stamps give word times", () => {
    const { cues } = read(
      "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ann>one <00:02.000>two <00:03.000><c>three</c>",
    )
    assert.deepStrictEqual(cues.map(told), ["1000-4000 Ann: one two three"])
    assert.deepStrictEqual(cues.flatMap(toldWords), ["1000-2000 one", "2000-3000 two", "3000-4000 three"])
    assert.isTrue(cues[0]?.words.every((word) => word.speaker === "Ann"))
  })
  it("words that share a stamp share its time by their length", () => {
    const { cues } = read("WEBVTT\n\n00:00.000 --> 00:02.000\na bcd<00:01.000> e")
    assert.deepStrictEqual(cues.flatMap(toldWords), ["0-250 a", "250-1000 bcd", "1000-2000 e"])
  })
  it("a stamp inside a word does not cut it", () => {
    const { cues } = read("WEBVTT\n\n00:00.000 --> 00:02.000\nka<00:01.000>ra<00:01.500> oke")
    assert.deepStrictEqual(cues.flatMap(toldWords), ["0-1500 kara", "1500-2000 oke"])
  })
  it("stamps that run back or leave the cue say nothing", () => {
    const { cues } = read(
      "WEBVTT\n\n00:01.000 --> 00:02.000\na<00:01.500> b<00:01.200> c<00:09.000> d<bad> e",
    )
    assert.deepStrictEqual(cues.flatMap(toldWords), [
      "1000-1500 a",
      "1500-1625 b",
      "1625-1750 c",
      "1750-1875 d",
      "1875-2000 e",
    ])
  })
  it("in a file with stamps a cue of one word needs none", () => {
    const { cues } = read(
      "WEBVTT\n\n00:00.000 --> 00:01.000\nYes.\n\n00:01.000 --> 00:02.000\na<00:01.500> b",
    )
    assert.deepStrictEqual(cues.flatMap(toldWords), ["0-1000 Yes.", "1000-1500 a", "1500-2000 b"])
  })
})
