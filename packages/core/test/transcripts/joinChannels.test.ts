import {
  integrityOf,
  joinChannels,
  joinReports,
  ownVoice,
  removeEchoes,
  type Word,
} from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"

/** Words of 300 milliseconds, one after the other; a number is a pause. */
const said = (text: string, start = 0): ReadonlyArray<Word> => {
  let time = start
  return text.split(" ").flatMap((part) => {
    if (/^\d+$/.test(part)) {
      time += Number(part)
      return []
    }
    const word = { text: part, start: time, end: time + 300, confidence: null, speaker: null }
    time += 300
    return [word]
  })
}

const channelsOf = (...texts: ReadonlyArray<ReadonlyArray<Word>>) =>
  texts.map((words, channel) => ({ channel, words }))

const lines = (...texts: ReadonlyArray<ReadonlyArray<Word>>) =>
  joinChannels(channelsOf(...texts)).map(({ speaker, text }) => `${speaker}: ${text}`)

/** The level of each channel, the same at every moment. */
const loudness =
  (...levels: ReadonlyArray<number>) =>
  (channel: number) =>
    levels[channel] ?? 0

const anyWords = fc
  .array(
    fc.record({
      text: fc.constantFrom("no", "yes.", "I", "see", "and", " ", "well,"),
      pause: fc.constantFrom(0, 50, 200, 600, 2000, 30_000),
      length: fc.integer({ min: 0, max: 900 }),
    }),
    { maxLength: 60 },
  )
  .map((parts) => {
    let time = 0
    return parts.map(({ text, pause, length }): Word => {
      const start = time + pause
      time = start + length
      return { text, start, end: time, confidence: null, speaker: null }
    })
  })

const anyChannels = fc.array(anyWords, { minLength: 1, maxLength: 8 })

const textsOf = (words: ReadonlyArray<Word>) =>
  words.map(({ text }) => text.trim()).filter((text) => text !== "")

describe("joining channels into one transcript", () => {
  it("numbers speakers by channel, not by who speaks first", () => {
    assert.deepStrictEqual(lines(said("Fine, thanks.", 2000), said("How are you?")), [
      "Speaker 2: How are you?",
      "Speaker 1: Fine, thanks.",
    ])
  })

  it("splits a line where another channel answers in its pause, even without punctuation", () => {
    assert.deepStrictEqual(lines(said("how are you 1200 where is she"), said("fine", 1300)), [
      "Speaker 1: how are you",
      "Speaker 2: fine",
      "Speaker 1: where is she",
    ])
  })

  it("keeps a sentence whole around an interjection, and puts the next sentence after it", () => {
    const told = said("We went to the 300 river that day. Then it began to rain.")
    assert.deepStrictEqual(lines(told, said("mhm", 1200)), [
      "Speaker 1: We went to the river that day.",
      "Speaker 2: mhm",
      "Speaker 1: Then it began to rain.",
    ])
  })

  it("keeps both lines whole when two people talk at once", () => {
    const one = said("I think that we should go there at once before they close")
    const two = said("No wait a moment please let me look at the list first", 150)
    assert.deepStrictEqual(lines(one, two), [
      "Speaker 1: I think that we should go there at once before they close",
      "Speaker 2: No wait a moment please let me look at the list first",
    ])
  })

  it.prop(
    "keeps every word once and in order, with line starts that never go back",
    [anyChannels],
    ([channels]) => {
      const segments = joinChannels(channelsOf(...channels))
      channels.forEach((words, channel) => {
        const own = segments.filter(({ speaker }) => speaker === `Speaker ${channel + 1}`)
        assert.deepStrictEqual(
          own.flatMap((segment) => textsOf(segment.words)),
          textsOf(words),
        )
      })
      segments.forEach(({ start, end, speaker, words }, at) => {
        assert.isAtLeast(start, segments[at - 1]?.start ?? 0)
        assert.isAtMost(start, end)
        assert.isTrue(words.length > 0 && words.every((word) => word.speaker === speaker))
      })
    },
  )

  it.prop(
    "splits a line for another channel only after a sentence or at a pause",
    [anyChannels],
    ([channels]) => {
      const all = joinChannels(channelsOf(...channels))
      channels.forEach((words, channel) => {
        const speaker = `Speaker ${channel + 1}`
        const alone = new Set(joinChannels([{ channel, words }]).map((segment) => segment.start))
        const own = all.filter((segment) => segment.speaker === speaker)
        own.forEach(({ start, words: [first] }, at) => {
          const before = own[at - 1]?.words.at(-1)
          if (before === undefined || first === undefined || alone.has(start)) return
          // A line that began elsewhere may come to its greatest length elsewhere too.
          const isLong = (own[at - 1]?.end ?? 0) - (own[at - 1]?.start ?? 0) > 5000
          assert.isTrue(before.text === "yes." || start - before.end >= 500 || isLong)
        })
      })
    },
  )
})

describe("crosstalk: a voice that leaks into another channel", () => {
  const answer = said("Yes I have it here", 5000)
  const question = said("Do you have the list with you today?")

  it("keeps the words only in the louder channel", () => {
    const bled = [...said("Do you have the list with you today?", 40), ...answer]
    const levelAt = (channel: number, start: number) => (start < 4000 === (channel === 0) ? 60 : 38)
    const [one, two] = removeEchoes(channelsOf(question, bled), levelAt)
    assert.strictEqual(one?.words.length, question.length)
    assert.deepStrictEqual(two?.words, answer)
  })

  it("removes misheard words between echoes too", () => {
    const bled = said("Do you have a wrist with you today?", 40)
    const [, two] = removeEchoes(channelsOf(question, bled), loudness(60, 35))
    assert.deepStrictEqual(two?.words, [])
    assert.strictEqual(two?.echoes.length, bled.length)
  })

  it("keeps words that differ when the channel is only slightly quieter", () => {
    const bled = said("Do you have a wrist with you today?", 40)
    const [, two] = removeEchoes(channelsOf(question, bled), loudness(60, 52))
    assert.deepStrictEqual(
      two?.words.map(({ text }) => text),
      ["a", "wrist"],
    )
  })

  it("removes a misheard word that stands alone in a channel of nothing but echoes", () => {
    const alone = [...question, ...said("Alone.", 9000)]
    const bled = [...said("Do you have the list with you today?", 40), ...said("A lone.", 8900)]
    const [, two] = removeEchoes(channelsOf(alone, bled), loudness(60, 35))
    assert.deepStrictEqual(two?.words, [])
  })

  it("keeps what is said right after an echo", () => {
    const reply = said("Yes.", 2600)
    const levelAt = (channel: number, start: number) => (start < 2500 === (channel === 0) ? 60 : 38)
    const [, two] = removeEchoes(
      channelsOf(question, [...said("Do you have the list with you today?", 20), ...reply]),
      levelAt,
    )
    assert.deepStrictEqual(two?.words, reply)
  })

  it("keeps different words spoken at the same time, however quiet they are", () => {
    const quiet = said("I will look for it in a minute")
    const [, two] = removeEchoes(channelsOf(question, quiet), loudness(70, 30))
    assert.deepStrictEqual(two?.words, quiet)
  })

  it.prop("removes nothing when all channels are about equally loud", [anyChannels], ([channels]) => {
    const all = removeEchoes(channelsOf(...channels), loudness(50, 51, 52, 50, 53, 54, 50, 52))
    assert.deepStrictEqual(
      all.map(({ words }) => words),
      channels,
    )
  })

  it.prop(
    "sorts each word into words or echoes, and removes none from the loudest channel",
    [anyChannels],
    ([channels]) => {
      const all = removeEchoes(channelsOf(...channels), loudness(80, 60, 40, 20))
      assert.deepStrictEqual(all[0]?.words, channels[0])
      all.forEach(({ words, echoes }, channel) => {
        assert.strictEqual(words.length + echoes.length, channels[channel]?.length)
        assert.isTrue([...words, ...echoes].every((word) => channels[channel]?.includes(word)))
      })
    },
  )

  it("does not count echoes, or short remains beside them, as speech of this channel", () => {
    const levelAt = (channel: number, start: number) => (start < 3000 === (channel === 0) ? 60 : 38)
    const voice = [
      { start: 0, end: 200 },
      { start: 1000, end: 2000 },
      { start: 2500, end: 4500 },
    ]
    assert.deepStrictEqual(ownVoice(1, voice, { others: [0], echoes: [], levelAt }), [
      { start: 3000, end: 4500 },
    ])
    const echoes = [
      { start: 1300, end: 1500 },
      { start: 3300, end: 3500 },
    ]
    assert.deepStrictEqual(ownVoice(1, voice, { others: [0], echoes, levelAt: loudness(50, 50) }), [
      { start: 0, end: 200 },
      { start: 2500, end: 3000 },
      { start: 3800, end: 4500 },
    ])
  })
})

describe("joining the reports of channels", () => {
  const reportOf = (words: ReadonlyArray<Word>, voice: ReadonlyArray<{ start: number; end: number }>) =>
    integrityOf({ duration: 60_000, segments: joinChannels([{ channel: 0, words }]), voice })

  it("reports a gap in one channel even when another channel has speech there", () => {
    const talks = reportOf(said("one two three four five six seven eight nine ten"), [
      { start: 0, end: 3000 },
    ])
    const silent = reportOf([], [{ start: 500, end: 3000 }])
    const both = joinReports([talks, silent])
    assert.deepStrictEqual(both.gaps, [{ start: 500, end: 3000 }])
    assert.strictEqual(both.speechSeconds, 5.5)
    assert.strictEqual(both.transcribedSeconds, 3)
    assert.strictEqual(both.coverage, 0.545)
    assert.deepStrictEqual(both.flags, ["low_coverage"])
  })

  it("does not call two people who talk at once impossibly fast", () => {
    const fast = said(Array.from({ length: 40 }, (_, at) => `w${"abcdefghij"[at % 10]}${at % 7}`).join(" "))
    const quick = fast.map((word, at) => ({ ...word, start: at * 160, end: at * 160 + 150 }))
    const voice = [{ start: 0, end: 6500 }]
    const one = reportOf(quick, voice)
    assert.deepStrictEqual(joinReports([one, one]).doubts, [])
    const mixed = integrityOf({
      duration: 60_000,
      segments: joinChannels(channelsOf(quick, quick)),
      voice,
    })
    assert.include(mixed.flags, "impossible_rate")
  })

  it("leaves a single report unchanged", () => {
    const report = reportOf(said("no no no no no no no no"), [{ start: 0, end: 9000 }])
    assert.deepStrictEqual(joinReports([report]), report)
  })
})
