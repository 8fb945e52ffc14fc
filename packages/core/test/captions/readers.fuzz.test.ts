import { captionFormats, readCaptions } from "@earmark/core/captions"
import type { Cue } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"

const SAMPLES: ReadonlyArray<string> = [
  "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000 align:start\n<v Ann>hello <00:00:01.500>&amp; <b>you</b>\n\nNOTE x\n\n00:03.000 --> 00:04.000\nb\n",
  "1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Ann: a</i>\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n{\\an8}42\r\n",
  "0:00:01.000,0:00:02.500\nhello[br]world\n\n0:00:03.000,0:00:04.000\na\n",
  "[Script Info]\n[Events]\nFormat: Layer, Start, End, Style, Name, Text\nDialogue: 0,0:00:01.00,0:00:02.00,D,Ann,{\\k20}a {\\k80}b\\Nc\n",
  '<tt xml:lang="en"><body><div><p begin="00:00:01.000" end="2s">a<br/>&lt;b</p><p begin="1t" dur="5f">c</p></div></body></tt>',
  '<html lang="en"><cite>Ann:</cite><time>0:01</time><p>a &amp; b</p><script>x</script><time>1:02</time><p>c<br>d</html>',
  '{"version":"1.0.0","segments":[{"speaker":"A","startTime":0,"endTime":1,"body":"a"},{"startTime":1,"endTime":2,"body":"b"}]}',
  '{"events":[{"tStartMs":0,"dDurationMs":9,"segs":[{"utf8":"a"},{"utf8":" b","tOffsetMs":4}]},{"tStartMs":5,"segs":null}]}',
  '{"text":"a b","segments":[{"start":0,"end":1,"text":" a b"}],"words":[{"word":"a","start":0,"end":0.5},{"word":"b","start":0.5,"end":1}]}',
  '{"results":{"channels":[{"alternatives":[{"words":[{"word":"a","start":0,"end":1,"speaker":0}]}]}]}}',
]

const cut = (text: string, from: number, to: number): string =>
  text.slice(Math.floor(from * text.length), Math.ceil(to * text.length))

const share = FastCheck.double({ min: 0, max: 1, noNaN: true })
const truncated = FastCheck.tuple(FastCheck.constantFrom(...SAMPLES), share).map(([text, to]) =>
  cut(text, 0, to),
)
const spliced = FastCheck.array(FastCheck.tuple(FastCheck.constantFrom(...SAMPLES), share, share), {
  maxLength: 6,
}).map((parts) => parts.map(([text, from, to]) => cut(text, from, to)).join(""))
const peppered = FastCheck.tuple(
  FastCheck.constantFrom(...SAMPLES),
  FastCheck.array(
    FastCheck.tuple(
      share,
      FastCheck.constantFrom(
        "\n",
        "-->",
        "<",
        ">",
        "&",
        "\0",
        "9",
        ":",
        ",",
        "{",
        "}",
        '"',
        "null",
        "-1",
        "\ud800",
      ),
    ),
  ),
).map(([text, grains]) =>
  grains.reduce((mixed, [at, grain]) => cut(mixed, 0, at) + grain + cut(mixed, at, 1), text),
)
const inputs = FastCheck.oneof(
  truncated,
  spliced,
  peppered,
  FastCheck.string({ unit: "binary" }),
  FastCheck.uint8Array({ maxLength: 300 }),
  spliced.map((text) => Buffer.from(text, "utf16le")),
)

const isSound = ({ start, end, lines, words }: Cue): boolean =>
  Number.isInteger(start) &&
  Number.isInteger(end) &&
  start >= 0 &&
  end >= 0 &&
  lines.every((line) => line !== "" && line === line.trim() && !line.includes("\n")) &&
  words.every((word) => Number.isInteger(word.start) && Number.isInteger(word.end) && word.end >= word.start)

describe("readers and hostile input", () => {
  it.prop(
    "never throw, and only give sound cues",
    { input: inputs, format: FastCheck.constantFrom(undefined, ...captionFormats) },
    ({ input, format }) => {
      const file = readCaptions(input, format === undefined ? {} : { format })
      if (Either.isRight(file)) assert.isTrue(file.right.cues.every(isSound))
    },
    { fastCheck: { numRuns: 3000 } },
  )

  const MEGABYTES = 1
  const filled = (head: string, pattern: string) =>
    head + pattern.repeat(Math.ceil((MEGABYTES * 1024 * 1024) / pattern.length))
  const timing = "00:00:01.000 --> 00:00:02.000\n"
  const page = "<time>0:01</time><p>"
  const timedText = '<tt><p begin="1s" end="2s">'
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["arrows on one line", filled("WEBVTT\n\n", "-->")],
    ["arrows on one line, SubRip", filled(timing, "-->")],
    ["arrows on their own lines", filled("WEBVTT\n\n", "-->\n")],
    ["digits", filled("WEBVTT\n\n", "9")],
    ["digits, SubRip", filled(timing, "9\n")],
    ["digits before an arrow", `${filled("WEBVTT\n\n", "9")}:00.000 --> 1`],
    ["tags that never end", filled(`WEBVTT\n\n${timing}`, "<")],
    ["tags that nest", filled(`WEBVTT\n\n${timing}`, "<b>")],
    ["voices", filled(`WEBVTT\n\n${timing}`, "<v a>b")],
    ["stamps", filled(`WEBVTT\n\n${timing}`, "a<00:00:01.500>")],
    ["ampersands", filled(`WEBVTT\n\n${timing}`, "&")],
    ["names without end", filled(`WEBVTT\n\n${timing}`, "&amp")],
    ["numbers without end", filled(`WEBVTT\n\n${timing}&#`, "1")],
    ["blank lines", filled("WEBVTT\n\n", "\n")],
    ["cues", filled("WEBVTT\n\n", `${timing}a\n\n`)],
    ["cues, SubRip", filled("", `1\n${timing.replaceAll(".", ",")}a: b\n\n`)],
    ["carriage returns", filled(timing, "\r")],
    ["braces", filled(`1\n${timing}`, "{\\")],
    ["spaces", filled(`1\n${timing}`, " ")],
    ["SBV", filled("0:00:01.000,0:00:02.500\n", "a\n\n")],
    ["ASS fields", filled("[Events]\nFormat: a", ",a")],
    ["ASS overrides", filled("[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,", "{\\k1")],
    ["ASS lines", filled("[Events]\n", "Dialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,a\n")],
    ["markup that never ends", filled(page, "<")],
    ["paragraphs", filled(page, "<p>a")],
    ["comments", filled(page, "<!--")],
    ["scripts", filled(page, "<script>")],
    ["attributes", filled(timedText, '<p begin="')],
    ["spaces before an equals sign", filled(`${timedText}<p `, "begin ")],
    ["spaces inside an attribute", filled(`${timedText}<p begin`, " ")],
    ["time marks", filled("<", "<time>1:")],
    [
      "lines that may have rolled up",
      `WEBVTT\n\n${`${timing}${"a\n".repeat(150_000)}${"b\n"}${"a\n".repeat(150_000)}\n${timing}${"a\n".repeat(300_000)}\n`.repeat(2)}`,
    ],
    ["deep JSON", filled("", "[")],
    ["JSON words", `{"segments":[${filled("", '{"startTime":1,"body":"a"},')}{}]}`],
    ["JSON of one text", `{"segments":[{"start":0,"end":1,"text":"${filled("", "a ")}"}],"words":[]}`],
  ]
  for (const [name, input] of cases)
    it(`takes time in proportion: ${name}`, () => {
      const before = process.cpuUsage()
      readCaptions(input)
      assert.isBelow(process.cpuUsage(before).user / 1000, 2000)
    })
})
