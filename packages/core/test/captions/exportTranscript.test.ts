import {
  buildCues,
  captionProfile,
  exportFormats,
  exportTranscript,
  formatOfName,
  lastEndingOf,
} from "@earmark/core/captions"
import type { Segment } from "@earmark/core/transcripts"
import { seededRandom } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Struct } from "effect"
import * as Either from "effect/Either"
import { relaxTimes } from "../../src/captions/relaxTimes.js"
import { read, told } from "./reading.js"
import { bytesOf, documentOf, refusalOf, segment, textOf } from "./writing.js"

/** Two people who talk for some hours. Segments are made when they are looked at. */
const hours = (count: number): ReadonlyArray<Segment> => {
  const length = count * 900
  return Array.from({ length }, (_, at) =>
    segment(
      at * 4000,
      at * 4000 + 3500,
      `Speaker ${1 + (Math.floor(at / 5) % 2)}`,
      `This is sentence ${at} of a talk, and it goes on.`,
    ),
  )
}

describe("exportTranscript", () => {
  it("shares its ending with no other format, and is told by it", () => {
    const formats = Struct.keys(exportFormats)
    for (const format of formats) {
      const { extension } = exportFormats[format]
      assert.strictEqual(formatOfName(`A.B${extension.toUpperCase()}`, formats), format)
      assert.strictEqual(formatOfName(`a.${format}`, formats), format)
      assert.isTrue(extension.endsWith(lastEndingOf(format)))
    }
    assert.strictEqual(formatOfName("a.json", formats), "json")
    assert.strictEqual(formatOfName("a.json", ["srt", "podcast_json"]), "podcast_json")
    assert.isUndefined(formatOfName("a.mp3", formats))
  })

  it("tells the media type and the extension of the format", () => {
    for (const [format, { contentType, extension }] of Object.entries(exportFormats)) {
      assert.match(contentType, /^[a-z]+\/[a-z0-9.+-]+(; .*)?$/)
      assert.match(extension, /^(?:\.[a-z]+){1,2}$/, format)
    }
    const made = exportTranscript(documentOf([]), { format: "srt" })
    assert(Either.isRight(made))
    assert.deepStrictEqual([made.right.contentType, made.right.extension], ["application/x-subrip", ".srt"])
  })
  it("refuses a format that does not exist", () => {
    const asked = JSON.parse('{"format":"toString"}')
    assert.strictEqual(refusalOf(documentOf([]), asked), "invalid_request")
  })
  it("says how to get a translation that is missing", () => {
    const made = exportTranscript(documentOf([]), { format: "srt", language: "fr" })
    assert(Either.isLeft(made))
    assert.match(made.left.message, /no translation to fr yet\. Ask for one .*translate_to/)
  })
  it("can be read more than once", () => {
    const made = exportTranscript(documentOf(hours(1)), { format: "docx" })
    assert(Either.isRight(made))
    const once = () => Buffer.concat([...made.right.chunks].map((chunk) => Buffer.from(chunk)))
    assert.isTrue(once().equals(once()))
  })
  it("comes in chunks, none of them large", () => {
    const document = documentOf(hours(20))
    for (const format of ["srt", "vtt", "json", "txt", "csv", "docx", "ttml"] as const) {
      const made = exportTranscript(document, { format })
      assert(Either.isRight(made))
      let count = 0
      for (const chunk of made.right.chunks) {
        assert.isBelow(chunk.length, 512 * 1024)
        count++
      }
      assert.isAbove(count, format === "txt" || format === "docx" ? 2 : 10, format)
    }
  })
  it("the first chunk comes long before the last cue is made", () => {
    let looked = 0
    const all = hours(20)
    const segments = new Proxy(all, {
      get: (target, key, receiver) => {
        if (typeof key === "string" && /^\d+$/.test(key)) looked = Math.max(looked, Number(key))
        return Reflect.get(target, key, receiver)
      },
    })
    const made = exportTranscript(documentOf(segments), { format: "vtt", speakers: false })
    assert(Either.isRight(made))
    looked = 0
    for (const chunk of made.right.chunks) {
      assert.isAbove(chunk.length, 1000)
      break
    }
    assert.isBelow(looked, all.length)
  })
  it("batches change no cue", () => {
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed)
      let at = 0
      const talk = Array.from({ length: 4000 }, (_, index) => {
        // Pauses of all lengths, and people who fall into each other's words.
        const start = Math.max(0, at + Math.round(random() < 0.1 ? -800 * random() : 6000 * random() ** 6))
        at = start + 300 + Math.round(3000 * random())
        const speaker = `Speaker ${1 + Math.floor(3 * random())}`
        return segment(
          start,
          at,
          speaker,
          `Sentence ${index} is said, or not.`.slice(0, 8 + Math.floor(26 * random())),
        )
      })
      const profile = captionProfile("standard", { language: "en" })
      const words = talk.flatMap((each) => each.words)
      const until = at + profile.gap
      const whole = [...relaxTimes(buildCues(words, { profile, until }), profile)]
      assert.deepStrictEqual(
        read(textOf(documentOf(talk), { format: "vtt" })).cues.map(told),
        whole.map(told),
      )
    }
  })
  it("shows nothing after the end of the recording", () => {
    const segments = [segment(0, 1900, "A", "It is over before it can be read at ease.")]
    for (const duration of [1900, 1950, 2100]) {
      const { cues } = read(textOf(documentOf(segments, { duration }), { format: "vtt" }))
      assert.strictEqual(cues.at(-1)?.end, duration)
    }
  })
  it("names come from the map, never from its prototype", () => {
    const document = documentOf([segment(0, 1000, "constructor", "hi")], { speakerNames: { A: "B" } })
    assert.include(textOf(document, { format: "txt" }), "constructor: hi")
  })
  it("an engine's untidy words are shown once and in order", () => {
    const words = [" two", "", "one\nthree", "  "].map((text) => ({
      text,
      start: 5,
      end: 5,
      confidence: null,
      speaker: null,
    }))
    const document = documentOf([{ start: 0, end: 10, speaker: null, text: "two one three", words }])
    assert.include(textOf(document, { format: "srt" }), "\ntwo one three\n")
    assert.isAbove(bytesOf(document, { format: "srt", wordLevel: true }).length, 20)
  })
})
