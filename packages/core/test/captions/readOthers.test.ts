import { type CaptionFormat, captionFormats, readCaptions } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { read, told, toldWords } from "./reading.js"

describe("a given format", () => {
  const isRead = (input: string | Uint8Array, format: CaptionFormat) =>
    Either.isRight(readCaptions(input, { format }))
  const binary = Uint8Array.from({ length: 4096 }, (_, at) => (at * 7919) % 251)

  for (const format of captionFormats) {
    it(`${format} is not seen in prose and bytes`, () => {
      assert.isFalse(isRead("Nothing but a few sentences.\n\nNo cue in them.\n", format))
      assert.isFalse(isRead(binary, format))
    })
  }

  it("may hold no cue when the file begins as it should, or is blank", () => {
    assert.isTrue(isRead("WEBVTT\n\nNOTE nothing yet\n", "vtt"))
    assert.isTrue(isRead("[Script Info]\n\n[Events]\n", "ass"))
    assert.isTrue(isRead("<tt><body/></tt>", "ttml"))
    assert.isTrue(isRead(" \n", "srt"))
  })
})

describe("encodings", () => {
  const text = "1\n00:00:01,000 --> 00:00:02,000\nnaïve – 日本\n"
  const utf16 = (mark: string) => Buffer.from(mark + text, "utf16le")
  const inputs: ReadonlyArray<readonly [string, Uint8Array]> = [
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with mark", Buffer.from(`\ufeff${text}`)],
    ["UTF-16 little-endian with mark", utf16("\ufeff")],
    ["UTF-16 little-endian", utf16("")],
    ["UTF-16 big-endian with mark", utf16("\ufeff").swap16()],
    ["UTF-16 big-endian", utf16("").swap16()],
  ]
  for (const [name, bytes] of inputs)
    it(name, () => assert.deepStrictEqual(read(bytes).cues.map(told), ["1000-2000 naïve – 日本"]))

  it("windows-1252, and says so", () => {
    const file = read(Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nna\xefve\x97yes\n", "latin1"))
    assert.deepStrictEqual(file.cues.map(told), ["1000-2000 naïve—yes"])
    assert.strictEqual(file.problems[0]?.code, "not_utf8")
  })
  it("UTF-8 with a bad byte in it, which alone is lost", () => {
    const file = read(
      Buffer.concat([
        Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nبسم الله "),
        Buffer.of(0xff),
        Buffer.from(" naïve\n"),
      ]),
    )
    assert.deepStrictEqual(file.cues.map(told), ["1000-2000 بسم الله \ufffd naïve"])
    assert.strictEqual(file.problems[0]?.code, "not_utf8")
  })
  it("bad bytes in WebVTT become U+FFFD, as its standard says", () => {
    const file = read(Buffer.from("WEBVTT\n\n00:01.000 --> 00:02.000\na\xffb\n", "latin1"))
    assert.deepStrictEqual(file.cues.map(told), ["1000-2000 a\ufffdb"])
  })
})

describe("what is no caption file", () => {
  it("an empty file is told as one", () => {
    for (const input of ["", " \n"]) {
      const file = readCaptions(input)
      assert(Either.isLeft(file))
      assert.strictEqual(file.left.message, "The file is empty.")
    }
  })
  for (const input of [
    "Plain text.\nWithout times.",
    "{",
    '{"a":1}',
    "[]",
    "<html><p>no times</p></html>",
    "\u0000\u0001",
  ])
    it(JSON.stringify(input), () => {
      const file = readCaptions(input)
      assert(Either.isLeft(file))
      assert.strictEqual(file.left._tag, "NotCaptions")
      assert.match(file.left.message, /^This file is not in a caption format/)
    })
  it("says which format was asked for", () => {
    const file = readCaptions("1\n00:00:01,000 --> 00:00:02,000\na", { format: "vtt" })
    assert(Either.isLeft(file))
    assert.strictEqual(file.left.message, "This file is not a vtt file.")
  })
})

describe("SBV, ASS, TTML, HTML", () => {
  it("SBV", () => {
    const file = read(
      "0:00:01.000,0:00:02.500\nhello\nworld\n\n100:00:03.000,100:00:04.000\na[br]b\n\nrubbish\n",
    )
    assert.strictEqual(file.format, "sbv")
    assert.deepStrictEqual(file.cues.map(told), ["1000-2500 hello / world", "360003000-360004000 a / b"])
    assert.deepStrictEqual(file.problems, [{ line: 8, code: "bad_block" }])
  })
  it("ASS, with karaoke times", () => {
    const file = read(
      "[Script Info]\nTitle: x\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n" +
        "Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,no\n" +
        "Dialogue: 0,0:00:03.00,0:00:04.00,Default,Ann,0,0,0,,{\\k40}one {\\k60}two, three\n" +
        "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\an8}first\\Nsecond\\hline\nDialogue: broken\n",
    )
    assert.deepStrictEqual(file.cues.map(told), [
      "1000-2000 first / second line",
      "3000-4000 Ann: one two, three",
    ])
    assert.deepStrictEqual(file.cues.flatMap(toldWords), ["3000-3400 one", "3400-4000 two, three"])
    assert.deepStrictEqual(file.problems, [{ line: 9, code: "bad_timing" }])
  })
  it("ASS, without the outlines of what is drawn", () => {
    const line = (second: number, text: string) =>
      `Dialogue: 0,0:00:0${second}.00,0:00:0${second + 1}.00,Default,,0,0,0,,${text}\n`
    const file = read(
      `[Events]\n${line(1, "{\\p1}m 0 0 l 100 0{\\p0}")}${line(2, "a {\\an8\\p2}m 0 0{\\p0}b")}` +
        `${line(3, "{\\pos(1,2)}c {\\p1}m 0 0")}${line(4, "{\\k50}d {\\p1}m 0{\\p0}{\\k50}e")}`,
    )
    assert.deepStrictEqual(file.cues.map(told), [
      "1000-2000 ",
      "2000-3000 a b",
      "3000-4000 c",
      "4000-5000 d e",
    ])
    assert.deepStrictEqual(file.cues.flatMap(toldWords), ["4000-4500 d", "4500-5000 e"])
  })
  it("TTML with agents, frames, offsets and durations", () => {
    const file = read(
      '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en" ttp:frameRate="25"><head><metadata>' +
        '<ttm:agent xml:id="a1"><ttm:name>Ann &amp; Co</ttm:name></ttm:agent></metadata></head><body><div>' +
        '<p begin="00:00:01.000" end="00:00:02.500" ttm:agent="a1">hello<br/>  <span>world</span></p>' +
        '<p begin="3.5s" dur="500ms">b &lt; c</p><p begin="00:00:04:05" end="00:00:05:00">f</p><p begin="x" end="y">g</p></div></body></tt>',
    )
    assert.strictEqual(file.format, "ttml")
    assert.strictEqual(file.language, "en")
    assert.deepStrictEqual(file.cues.map(told), [
      "1000-2500 Ann & Co: hello / world",
      "3500-4000 b < c",
      "4200-5000 f",
    ])
    assert.strictEqual(file.problems[0]?.code, "bad_timing")
  })
  it("HTML: a text lasts until the next begins", () => {
    const file = read(
      '<!doctype html><html lang="en"><script>"<p>"</script><cite>Ann:</cite><time>0:01</time><p>Hello &amp; welcome</p><p>again</p>' +
        "<cite>Bob:</cite>\n<time>1:00:02</time>\n<p>Hi<br>there</p></html>",
    )
    assert.strictEqual(file.format, "html")
    assert.strictEqual(file.language, "en")
    assert.deepStrictEqual(file.cues.map(told), [
      "1000-3602000 Ann: Hello & welcome / again",
      "3602000-3603000 Bob: Hi / there",
    ])
  })
})

describe("JSON", () => {
  const json = (value: unknown) => read(JSON.stringify(value))

  it("Podcasting 2.0, by segment", () => {
    const file = json({
      version: "1.0.0",
      segments: [
        { speaker: "Ann", startTime: 0.5, endTime: 2.75, body: "Hello there." },
        { startTime: "3", endTime: 4, body: "Two words" },
        { startTime: null, body: "lost" },
      ],
    })
    assert.strictEqual(file.format, "podcast_json")
    assert.deepStrictEqual(file.cues.map(told), ["500-2750 Ann: Hello there.", "3000-4000 Two words"])
    assert.deepStrictEqual(file.problems, [{ line: 0, code: "bad_entry" }])
  })
  it("Podcasting 2.0, by word: joined to sentences of one speaker", () => {
    const words = ["Yes.", "No,", "he", "said.", "Why?"]
    const segments = words.map((body, at) => ({
      speaker: at < 4 ? "A" : "B",
      startTime: at,
      endTime: at + 0.5,
      body,
    }))
    const file = json({ version: "1.0.0", segments })
    assert.deepStrictEqual(file.cues.map(told), [
      "0-500 A: Yes.",
      "1000-3500 A: No, he said.",
      "4000-4500 B: Why?",
    ])
    assert.deepStrictEqual(
      file.cues.map((cue) => cue.words.length),
      [1, 3, 1],
    )
  })
  it("OpenAI verbose form: bare words take the punctuation of the segments", () => {
    const file = json({
      task: "transcribe",
      language: "english",
      duration: 3,
      text: "…",
      segments: [
        { id: 0, start: 0, end: 1.5, text: " Hello, world." },
        { id: 1, start: 1.5, end: 3, text: " It's me!" },
      ],
      words: [
        { word: "Hello", start: 0, end: 0.5 },
        { word: "world", start: 0.6, end: 1.4 },
        { word: "It's", start: 1.6, end: 2 },
        { word: "me", start: 2, end: 2.9 },
      ],
    })
    assert.strictEqual(file.format, "openai_json")
    assert.deepStrictEqual(file.cues.map(told), ["0-1500 Hello, world.", "1500-3000 It's me!"])
    assert.deepStrictEqual(file.cues.flatMap(toldWords), [
      "0-500 Hello,",
      "600-1400 world.",
      "1600-2000 It's",
      "2000-2900 me!",
    ])
  })
  it("YouTube json3: rows that append are line feeds, offsets are word times", () => {
    const file = json({
      events: [
        { tStartMs: 0, dDurationMs: 9000, id: 1, wpWinPosId: 1 },
        { tStartMs: 1000, dDurationMs: 4000, segs: [{ utf8: "one" }, { utf8: " two", tOffsetMs: 500 }] },
        { tStartMs: 2000, dDurationMs: 3000, aAppend: 1, segs: [{ utf8: "\n" }] },
        { tStartMs: 2500, dDurationMs: 2000, segs: [{ utf8: "three" }] },
      ],
    })
    assert.strictEqual(file.format, "youtube_json3")
    assert.deepStrictEqual(file.cues.map(told), ["1000-2500 one two", "2500-4500 three"])
    assert.deepStrictEqual(file.cues.flatMap(toldWords), ["1000-1500 one", "1500-2500 two"])
  })
  it("AssemblyAI, Deepgram, whisper.cpp and plain lists", () => {
    const assembly = json({
      audio_duration: 9,
      language_code: "en",
      utterances: [
        {
          speaker: "A",
          text: "Hi there.",
          start: 250,
          end: 900,
          words: [{ text: "Hi", start: 250, end: 500, confidence: 0.9 }],
        },
      ],
    })
    assert.deepStrictEqual(assembly.cues.map(told), ["250-900 A: Hi there."])
    assert.strictEqual(assembly.cues[0]?.words[0]?.confidence, 0.9)
    const deepgram = json({
      results: {
        channels: [
          {
            alternatives: [
              {
                transcript: "Hi there.",
                words: [
                  { word: "hi", punctuated_word: "Hi", start: 0.1, end: 0.4, speaker: 0 },
                  { word: "there", punctuated_word: "there.", start: 0.5, end: 0.9, speaker: 0 },
                ],
              },
            ],
          },
        ],
      },
    })
    assert.deepStrictEqual(deepgram.cues.map(told), ["100-900 Speaker 1: Hi there."])
    assert.deepStrictEqual(deepgram.cues.flatMap(toldWords), ["100-400 Hi", "500-900 there."])
    const cpp = json({
      result: { language: "en" },
      transcription: [{ offsets: { from: 10, to: 990 }, text: " Hi" }],
    })
    assert.deepStrictEqual(cpp.cues.map(told), ["10-990 Hi"])
    assert.deepStrictEqual(json([{ text: "Hi", start: 1.5, duration: 2 }]).cues.map(told), ["1500-3500 Hi"])
  })
})
