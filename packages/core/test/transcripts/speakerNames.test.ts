import {
  assemble,
  labelSpeakers,
  mergeSpans,
  namesOfSpeakers,
  renameSpeakers,
} from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { assembled, said } from "./saidWords.js"

describe("speaker names", () => {
  const transcript = assemble({
    language: null,
    duration: 1,
    words: [...said("one", 0, 400, "Speaker 1"), ...said("two", 3000, 400, "Speaker 2")],
  })

  it("all change at once, so two can swap", () => {
    const { segments } = renameSpeakers(transcript, { "Speaker 1": "Speaker 2", "Speaker 2": "Ann" })
    assert.deepStrictEqual(
      segments.map(({ speaker, words }) => [speaker, words[0]?.speaker]),
      [
        ["Speaker 2", "Speaker 2"],
        ["Ann", "Ann"],
      ],
    )
  })

  it("a label without a name stays, also one named like an object's own", () => {
    assert.deepStrictEqual(renameSpeakers(transcript, {}), transcript)
    const named = assemble({ language: null, duration: 1, words: said("one", 0, 400, "constructor") })
    assert.strictEqual(renameSpeakers(named, {}).segments[0]?.speaker, "constructor")
  })

  it("what keeps its speaker is not copied, from the windows on: ten hours have a hundred thousand words", () => {
    const words = said("one two three")
    const [merged] = mergeSpans([{ start: 0, end: 5000, words }])
    assert.strictEqual(merged, words[0])
    const [segment] = assembled(words)
    assert.strictEqual(segment?.words[0], words[0])
    const [renamed] = renameSpeakers(
      { language: null, duration: 5000, segments: assembled(words) },
      {},
    ).segments
    assert.strictEqual(renamed?.words[0], words[0])
  })

  it("the names that they had are told by their labels; what is a label already is none", () => {
    const said = (speaker: string | null) => ({ start: 0, end: 1, speaker, text: "Yes.", words: [] })
    assert.deepStrictEqual(namesOfSpeakers([said("Ben"), said(null), said("Ann"), said("Ben")]), {
      "Speaker 1": "Ben",
      "Speaker 2": "Ann",
    })
    assert.deepStrictEqual(namesOfSpeakers([said("Speaker 2"), said("Speaker 1")]), {})
    assert.deepStrictEqual(namesOfSpeakers([said("x".repeat(200))]), { "Speaker 1": "x".repeat(100) })
  })

  it("a hundred of them have names at most: those who appear first", () => {
    const voices = Array.from({ length: 30_000 }, (_, at) => ({
      ...{ start: at, end: at + 1, text: "Yes.", words: [] },
      speaker: at % 3 === 0 ? `Speaker ${at + 7}` : `Voice ${at}`,
    }))
    const names = namesOfSpeakers(voices)
    assert.strictEqual(Object.keys(names).length, 100)
    assert.deepInclude(names, { "Speaker 2": "Voice 1", "Speaker 150": "Voice 149" })
    assert.strictEqual(labelSpeakers(voices).at(-1)?.speaker, "Speaker 30000")
  })

  it("labels count from one", () => {
    const { segments } = renameSpeakers(transcript, { "Speaker 1": "Zoe", "Speaker 2": "Ann" })
    assert.deepStrictEqual(
      labelSpeakers(segments).map(({ speaker }) => speaker),
      ["Speaker 1", "Speaker 2"],
    )
  })
})
