import { estimatedWords, replayRevisions } from "@earmark/core/edits"
import type { Segment } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { edited, line, transcriptOf } from "./world.js"

type Timed = readonly [text: string, start: number, end: number]

const timedLine = (start: number, end: number, ...words: ReadonlyArray<Timed>): Segment => ({
  start,
  end,
  speaker: "Speaker 1",
  text: words.map(([text]) => text).join(" "),
  words: words.map(([text, from, to]) => ({
    text,
    start: from,
    end: to,
    confidence: 0.9,
    speaker: "Speaker 1",
  })),
})

const meeting = timedLine(
  2000,
  4500,
  ["Then", 2000, 2500],
  ["we", 2500, 3056],
  ["will", 3056, 3500],
  ["meet", 3500, 4400],
)

const ADDED = "Then we most certainly and without any doubt at all will meet"

describe("estimatedWords", () => {
  const heard = transcriptOf(meeting, line(20_000, "the end"))

  it("counts the words that were given a time in which no word was heard", () => {
    assert.strictEqual(estimatedWords(heard.segments, heard.segments), 0)
    const added = edited(heard, { type: "text", line: 0, text: ADDED })
    assert.strictEqual(estimatedWords(heard.segments, added.segments), 8)
    const replaced = edited(heard, { type: "text", line: 0, text: "Then they will meet" })
    assert.strictEqual(estimatedWords(heard.segments, replaced.segments), 0)
    const regrouped = edited(
      heard,
      { type: "split", line: 0, at: 7 },
      { type: "speaker", line: 0, speaker: "Ann" },
    )
    assert.strictEqual(estimatedWords(heard.segments, regrouped.segments), 0)
  })

  it("is 0 again after an undo", () => {
    const revisions = [{ operations: [{ type: "text", line: 0, text: ADDED }] as const }, { undo: 1 }]
    const [, added, undone] = Either.getOrThrow(replayRevisions(heard, revisions))
    assert.isAbove(estimatedWords(heard.segments, added?.segments ?? []), 0)
    assert.strictEqual(estimatedWords(heard.segments, undone?.segments ?? []), 0)
    assert.deepStrictEqual(undone, heard)
  })
})
