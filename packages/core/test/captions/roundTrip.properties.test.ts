import { convertCaptions } from "@earmark/core/captions"
import { cleanText } from "@earmark/core/text"
import type { Cue } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { read } from "./reading.js"
import { bytesOf, documentOf, segment, textOf } from "./writing.js"

/** Spoken text with everything in it that some format takes for structure. */
const texts = FastCheck.array(
  FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.constantFrom(..."so we said that it was Ann's 42 plan.".split(" ")) },
    {
      weight: 2,
      arbitrary: FastCheck.constantFrom(
        ..."--> <b> </i> {\\an8} &amp; & < > <00:00:01.000> WEBVTT NOTE 7 00:00:01,000 \\N {k} &#65; <v".split(
          " ",
        ),
        ...[
          "\n\n",
          "\r\n2\r\n",
          "\t",
          "\u2028",
          "\u0085",
          "\u0000",
          "\ud800",
          "👨‍👩‍👧",
          "日本語",
          "ไทย",
          "שלום",
          "\u3000",
          '"',
          "'",
        ],
      ),
    },
    { weight: 1, arbitrary: FastCheck.string({ unit: "binary", maxLength: 8 }) },
  ),
  { minLength: 1, maxLength: 8 },
).map((parts) => parts.join(" ").replace(/[:\u2060]/g, ""))

const speakers = FastCheck.oneof(
  FastCheck.constantFrom("Speaker 1", "Speaker 2", "Ann & <Bob>", "--", null),
  FastCheck.string({ maxLength: 6 }),
)

interface Given {
  readonly lines: ReadonlyArray<string>
  readonly speaker: string | null
  readonly pause: number
  readonly length: number
}

const given = FastCheck.array(
  FastCheck.record({
    lines: FastCheck.array(texts, { minLength: 1, maxLength: 3 }),
    speaker: speakers,
    pause: FastCheck.integer({ min: 0, max: 400_000 }),
    length: FastCheck.integer({ min: 1, max: 9000 }),
  }),
  { maxLength: 12 },
)

/** Cues one after the other; a number at the end makes every line another one. */
const cuesOf = (each: ReadonlyArray<Given>): ReadonlyArray<Cue> => {
  let at = 0
  return each.map(({ lines, speaker, pause, length }, index) => {
    const start = at + pause
    at = start + length
    return { start, end: at, speaker, lines: lines.map((line, row) => `${line} ${index}x${row}`), words: [] }
  })
}

const written = (cues: ReadonlyArray<Cue>, to: "vtt" | "srt" | "ttml"): string => {
  const made = convertCaptions({ cues, language: null }, { to, speakers: to !== "srt" })
  assert(Either.isRight(made))
  return [...made.right.chunks].join("")
}

const lookAlike = (name: string) => name.replaceAll("&", "＆").replaceAll("<", "‹").replaceAll(">", "›")
const named = (speaker: string | null) => cleanText(speaker ?? "") || null

describe("what is written is read again", () => {
  it.prop("WebVTT: times, lines and speakers", { given }, ({ given }) => {
    const cues = cuesOf(given)
    assert.deepStrictEqual(
      read(written(cues, "vtt")).cues.map(({ start, end, speaker, lines }) => ({
        start,
        end,
        speaker,
        lines,
      })),
      cues.map(({ start, end, speaker, lines }) => ({
        start,
        end,
        speaker: named(lookAlike(speaker ?? "")),
        lines: lines.map(cleanText),
      })),
    )
  })

  it.prop("SubRip: times and lines", { given }, ({ given }) => {
    const cues = cuesOf(given)
    assert.deepStrictEqual(
      read(written(cues, "srt"), "srt").cues.map(({ start, end, lines }) => ({ start, end, lines })),
      cues.map(({ start, end, lines }) => ({
        start,
        end,
        lines: lines.map((line) => cleanText(line).replaceAll("-->", "→")),
      })),
    )
  })

  it.prop("TTML: times, lines and speakers", { given }, ({ given }) => {
    const cues = cuesOf(given)
    assert.deepStrictEqual(
      read(written(cues, "ttml")).cues.map(({ start, end, speaker, lines }) => ({
        start,
        end,
        speaker,
        lines,
      })),
      cues.map(({ start, end, speaker, lines }) => ({
        start,
        end,
        speaker: named(speaker)?.replace(/[\ufffe\uffff]/g, "\ufffd") ?? null,
        lines: lines.map((line) => cleanText(line).replace(/[\ufffe\uffff]/g, "\ufffd")),
      })),
    )
  })

  it.prop("JSON: times, text, speakers and words", { given }, ({ given }) => {
    const segments = cuesOf(given).map(({ start, end, speaker, lines }) =>
      segment(start, end, named(speaker), cleanText(lines.join(" "))),
    )
    const { cues } = read(bytesOf(documentOf(segments), { format: "json", wordLevel: true }), "json")
    assert.deepStrictEqual(
      cues.map(({ start, end, speaker, lines, words }) => ({
        start,
        end,
        speaker,
        text: lines.join(" "),
        words,
      })),
      segments.map((each) => ({
        ...each,
        words: each.words.map((word) => ({ ...word, text: cleanText(word.text) })),
      })),
    )
  })

  it.prop("every format of a transcript has every word once and in order", { given }, ({ given }) => {
    const segments = cuesOf(given).map(({ start, end, speaker, lines }) =>
      segment(start, end, named(speaker), lines.join(" ")),
    )
    const ink = (text: string) => cleanText(text).replace(/\s/g, "")
    const spoken = ink(segments.flatMap((each) => each.words.map((word) => cleanText(word.text))).join(" "))
    const document = documentOf(segments)
    for (const options of [{ format: "vtt" }, { format: "vtt", wordLevel: true }] as const) {
      const { cues } = read(textOf(document, options))
      assert.strictEqual(ink(cues.flatMap((cue) => cue.lines).join(" ")), spoken)
    }
    const { cues } = read(textOf(document, { format: "srt", speakers: false }), "srt")
    assert.strictEqual(ink(cues.flatMap((cue) => cue.lines).join(" ")), spoken.replaceAll("-->", "→"))
  })

  const timed = FastCheck.array(
    FastCheck.record({
      text: FastCheck.constantFrom(..."one two, three. Four <b> & so on".split(" ")),
      pause: FastCheck.integer({ min: 0, max: 1500 }),
      length: FastCheck.integer({ min: 1, max: 600 }),
    }),
    { minLength: 2, maxLength: 60 },
  )

  it.prop("WebVTT at word level: the start of every word", { timed }, ({ timed }) => {
    let at = 0
    const words = timed.map(({ text, pause, length }) => {
      const start = at + pause
      at = start + length
      return { text, start, end: at, confidence: null, speaker: null }
    })
    const text = words.map((word) => word.text).join(" ")
    const document = documentOf([{ start: 0, end: at, speaker: null, text, words }])
    const { cues } = read(textOf(document, { format: "vtt", wordLevel: true }))
    if (cues.every((cue) => cue.words.length > 0))
      assert.deepStrictEqual(
        cues.flatMap((cue) => cue.words.map((word) => `${word.start} ${word.text}`)),
        words.map((word) => `${word.start} ${word.text}`),
      )
  })

  it.prop("the same transcript and options give the same bytes", { given }, ({ given }) => {
    const document = documentOf(
      cuesOf(given).map(({ start, end, speaker, lines }) => segment(start, end, speaker, lines.join(" "))),
    )
    for (const format of ["srt", "vtt", "json", "docx", "md", "csv", "ass"] as const)
      assert.isTrue(bytesOf(document, { format }).equals(bytesOf(structuredClone(document), { format })))
  })
})
