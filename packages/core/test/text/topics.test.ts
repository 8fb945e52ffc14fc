import { type Chapter, chaptersOf, sentencesOf, splitSentences, summarize, wordsOf } from "@earmark/core/text"
import type { Segment, Transcript } from "@earmark/core/transcripts"
import { generatedRecording } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"

const transcriptOf = (
  texts: ReadonlyArray<string>,
  each = 5000,
  language: string | null = "en",
): Transcript => ({
  language,
  duration: texts.length * each,
  segments: texts.map(
    (text, index): Segment => ({
      start: index * each,
      end: (index + 1) * each - 200,
      speaker: null,
      text,
      words: [],
    }),
  ),
})

const assertChapters = (chapters: ReadonlyArray<Chapter>, { duration, segments }: Transcript) => {
  assert.strictEqual(chapters[0]?.start, 0)
  assert.isAtLeast(chapters.at(-1)?.end ?? 0, duration)
  const starts = new Set(segments.map(({ start }) => start))
  chapters.forEach((chapter, index) => {
    assert.isTrue(chapter.end > chapter.start, "a chapter has a length")
    assert.isTrue(index === 0 || starts.has(chapter.start), "a chapter begins with a segment")
    if (index > 0) assert.strictEqual(chapter.start, chapters[index - 1]?.end)
    assert.isTrue(chapter.title.trim().length > 0)
  })
  assert.strictEqual(new Set(chapters.map(({ title }) => title.toLowerCase())).size, chapters.length)
}

describe("sentences", () => {
  it("end at marks, not at short forms and numbers", () => {
    assert.deepStrictEqual(
      splitSentences("Dr. Marsh paid 3.5 million. Really?! “Yes.” J. Doe left").map((text) => text.trim()),
      ["Dr. Marsh paid 3.5 million.", "Really?!", "“Yes.”", "J. Doe left"],
    )
    assert.deepStrictEqual(splitSentences("今日は。明日も！"), ["今日は。", "明日も！"])
    assert.deepStrictEqual(splitSentences("यह अच्छा है। वह नहीं।"), ["यह अच्छा है।", " वह नहीं।"])
  })

  it("go on in the next segment of the same speaker", () => {
    const { segments } = transcriptOf(["This one goes", "on here. And ends."])
    assert.deepStrictEqual(
      sentencesOf(segments).map(({ text, segment }) => [text, segment]),
      [
        ["This one goes on here.", 0],
        ["And ends.", 1],
      ],
    )
  })

  it.prop("hold all of the text", { text: fc.fullUnicodeString({ maxLength: 900 }) }, ({ text }) => {
    assert.strictEqual(splitSentences(text).join(""), text)
  })
})

describe("chapters", () => {
  const recording = generatedRecording({ seed: 42, topics: 6, sentences: [50, 110], focus: 0.35 })

  it("are found near where the topics change", () => {
    const chapters = chaptersOf(recording.transcript)
    assertChapters(chapters, recording.transcript)
    const found = recording.topicStarts.filter((topic) =>
      chapters.some(({ start }) => Math.abs(start - topic) < 20_000),
    )
    assert.isAtLeast(found.length, recording.topicStarts.length - 1)
    assert.isAtMost(chapters.length, recording.topicStarts.length + 2)
  })

  it("have titles of two to five words that were said in them", () => {
    const { transcript } = recording
    for (const { start, end, title } of chaptersOf(transcript)) {
      const said = transcript.segments
        .filter((segment) => segment.start >= start && segment.start < end)
        .map(({ text }) => wordsOf(text).join(" ").toLowerCase())
        .join(" | ")
      assert.include(said, title.toLowerCase())
      assert.isTrue(wordsOf(title).length >= 2 && wordsOf(title).length <= 5)
    }
  })

  it("last between 2 and 20 minutes where the words allow it", () => {
    const long = generatedRecording({ seed: 3, topics: 3, sentences: [500, 600] })
    for (const { start, end } of chaptersOf(long.transcript).slice(0, -1)) {
      assert.isAtLeast(end - start, 110_000)
      assert.isAtMost(end - start, 1_215_000)
    }
  })

  it("is one under five minutes, and none without text", () => {
    const short = generatedRecording({ seed: 5, topics: 2, sentences: [15, 20] })
    assert.strictEqual(chaptersOf(short.transcript).length, 1)
    assert.deepStrictEqual(chaptersOf(transcriptOf([])), [])
    assert.deepStrictEqual(chaptersOf(transcriptOf(["", " "])), [])
  })

  it("work without spaces and without a known language", () => {
    const topics = ["猫は魚を食べます。", "電車は駅に着きました。"]
    const texts = topics.flatMap((text) => Array.from({ length: 80 }, () => text))
    const transcript = transcriptOf(texts, 5000, null)
    const chapters = chaptersOf(transcript)
    assertChapters(chapters, transcript)
    assert.isTrue(chapters.some(({ start }) => Math.abs(start - 400_000) <= 10_000))
  })

  it.prop(
    "cover the recording whatever was said",
    {
      texts: fc.array(
        fc.oneof(fc.lorem({ maxCount: 12 }), fc.fullUnicodeString({ maxLength: 30 }), fc.constant("Yes.")),
      ),
      each: fc.constantFrom(1, 900, 40_000, 2_000_000),
    },
    ({ texts, each }) => {
      const transcript = transcriptOf(texts, each + 200)
      const chapters = chaptersOf(transcript)
      if (chapters.length > 0) {
        assert.strictEqual(chapters[0]?.start, 0)
        assert.strictEqual(chapters.at(-1)?.end, transcript.duration)
        for (const [index, { start, end }] of chapters.entries())
          assert.isTrue(end > start && start === (chapters[index - 1]?.end ?? 0))
      }
    },
  )

  it("a hundred thousand tiny sentences end within four seconds", () => {
    const texts = Array.from({ length: 100_000 }, (_, index) => `Item ${index % 977} again.`)
    const started = performance.now()
    chaptersOf(transcriptOf(texts, 300))
    assert.isBelow(performance.now() - started, 4000)
  })
})

describe("summary", () => {
  const { transcript } = generatedRecording({ seed: 8, topics: 6, sentences: [60, 90] })

  it("is sentences of the transcript in spoken order, none twice", () => {
    const { kind, sentences, text } = summarize(transcript)
    assert.strictEqual(kind, "extractive")
    const said = sentencesOf(transcript.segments).map(({ text }) => text)
    for (const sentence of sentences) {
      assert.include(said, sentence.text)
      assert.include(text, sentence.text)
      const words = wordsOf(sentence.text).length
      assert.isTrue(words >= 8 && words <= 35)
    }
    assert.strictEqual(new Set(sentences.map(({ text }) => text)).size, sentences.length)
    assert.deepStrictEqual(
      sentences.map(({ start }) => start),
      sentences.map(({ start }) => start).toSorted((a, b) => a - b),
    )
  })

  it("takes from most of the chapters", () => {
    const chapters = chaptersOf(transcript)
    const { sentences } = summarize(transcript, { sentences: chapters.length, chapters })
    const touched = chapters.filter(({ start, end }) =>
      sentences.some((sentence) => sentence.start >= start && sentence.start < end),
    )
    assert.isAtLeast(touched.length, Math.ceil(chapters.length * 0.6))
  })

  it("says a thing once when the speaker says it ten times", () => {
    const repeated = "The harbour budget was moved to the station project by the council."
    const others = [
      "A market garden feeds the village near the river every single summer.",
      "The harbour council met about the station and the market garden again.",
    ]
    const texts = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? repeated : (others[index % 2] ?? ""),
    )
    const { sentences } = summarize(transcriptOf(texts), { sentences: 3 })
    assert.strictEqual(new Set(sentences.map(({ text }) => text)).size, 3)
  })

  it("takes what there is of a short transcript, and nothing of an empty one", () => {
    assert.strictEqual(summarize(transcriptOf(["Budget talk today."])).text, "Budget talk today.")
    assert.deepStrictEqual(summarize(transcriptOf([])).sentences, [])
    assert.deepStrictEqual(summarize(transcript, { sentences: 0 }).sentences, [])
  })

  it("never takes quadratic time", () => {
    const { transcript } = generatedRecording({ seed: 9, topics: 60, sentences: [90, 110] })
    const started = performance.now()
    summarize(transcript)
    assert.isBelow(performance.now() - started, 4000)
  })
})
